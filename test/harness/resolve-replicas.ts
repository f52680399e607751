/** Loaded before a service (`node --import`) that is started with replicas: stands in for the DNS that would know their name. */
import promises from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { REPLICA_ADDRESSES, REPLICA_HOST } from './replica-addresses.ts'

const { lookup } = promises
const replicas = REPLICA_ADDRESSES.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

promises.lookup = ((host: string, options: object) =>
  host === REPLICA_HOST ? Promise.resolve(replicas) : lookup(host, options)) as typeof lookup
syncBuiltinESMExports()
