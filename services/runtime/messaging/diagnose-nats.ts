import type { JetStreamManager } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'

/** @param credential see `describeCredential`. @throws Error if the connection is closed. Waits while it is lost. */
export async function diagnoseNats(connection: NatsConnection, credential: string) {
  await connection.rtt()
  const { version = '', server_name = '', cluster = '', connect_urls } = connection.info ?? {}
  // A server without a cluster can report several addresses of its own.
  return {
    serverVersion: version,
    serverName: server_name,
    servers: cluster ? (connect_urls?.length ?? 1) : 1,
    cluster,
    credential,
  }
}

/** @throws Error if the stream does not exist or its servers do not respond. */
export async function diagnoseStream(manager: JetStreamManager, name: string, wantedReplicas: number) {
  const { config, cluster } = await manager.streams.info(name)
  // Followers; a server without a cluster has none.
  const followers = cluster?.replicas?.filter(({ current, offline }) => current && !offline) ?? []
  return { name, replicas: config.num_replicas, currentReplicas: 1 + followers.length, wantedReplicas }
}
