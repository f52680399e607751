/**
 * Loaded before a service (`node --import`) that is started with replicas: stands in for the DNS that would know their
 * name.
 */
import promises from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { REPLICA_ADDRESSES, REPLICA_HOST } from './replica-addresses.ts'

const { lookup } = promises
const replicas = REPLICA_ADDRESSES.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

/** Each answer begins with another replica, and each process with one of its own, as with a name server. */
let first = process.pid
const rotate = () => replicas.map((_, n) => replicas[(first + n) % replicas.length])

promises.lookup = ((host: string, options: object) => {
  if (host !== REPLICA_HOST) return lookup(host, options)
  first++
  return Promise.resolve(rotate())
}) as typeof lookup
syncBuiltinESMExports()
