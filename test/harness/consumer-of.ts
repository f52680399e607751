import { type ConsumerInfo, jetstreamManager } from '@nats-io/jetstream'
import { JOBS_STREAM } from '@platen/proto/subjects.ts'
import { openNats } from '../checker/collect.ts'
import type { TestNats } from './nats.ts'

/** What JetStream itself says of a durable consumer. */
export async function consumerOf({ url }: TestNats, name: string): Promise<ConsumerInfo> {
  const connection = await openNats(url, 'test observer')
  try {
    return await (await jetstreamManager(connection)).consumers.info(JOBS_STREAM.name, name)
  } finally {
    await connection.close()
  }
}
