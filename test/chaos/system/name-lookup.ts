/**
 * Loaded into services and agents before anything else (`--import`): gives the names of the harness their addresses, as a cluster's
 * name server would. Each asking gets them in another order, so that who tries the first address only does not always try the same.
 * It stands in for `lookup` of `node:dns/promises`, by which both RPC clients and agents resolve; shipped code knows nothing of it.
 */
import type { LookupAddress, LookupOptions } from 'node:dns'
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Holds JSON: all addresses of each name. */
const VARIABLE = 'PLATEN_CHAOS_HOSTS'

const hosts: Record<string, string[]> = JSON.parse(process.env[VARIABLE] ?? '{}')
const { lookup: askSystem } = dns
/** Different in each process, so that the agents do not all begin with the same replica. */
let turn = process.pid

async function lookup(name: string, options: LookupOptions = {}): Promise<LookupAddress | LookupAddress[]> {
  const addresses = hosts[name]
  if (!addresses) return await askSystem(name, options)
  const first = turn++ % addresses.length
  const all = [...addresses.slice(first), ...addresses.slice(0, first)].map((address) => ({ address, family: 4 }))
  return options.all ? all : (all[0] as LookupAddress)
}

Object.assign(dns, { lookup })
syncBuiltinESMExports()
