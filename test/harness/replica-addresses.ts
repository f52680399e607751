/**
 * Where the replicas of a service listen in tests: one port on two loopback addresses, behind one name, as the pods
 * behind a headless name do. Not `localhost`, which has as many addresses as the machine's `hosts` file says;
 * `resolve-replicas.ts` makes the name known.
 */

export const REPLICA_HOST = 'replicas.test'

/** Every 127.0.0.0/8 address is there but on macOS. */
export const REPLICA_ADDRESSES = ['127.0.0.1', process.platform === 'darwin' ? '::1' : '127.0.0.2']
