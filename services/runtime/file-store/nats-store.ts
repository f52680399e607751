/**
 * Documents in an object store of JetStream, on a separate connection, so that large documents do not delay the small
 * messages of the services. A missing bucket is created when the process starts.
 *
 * The library writes documents, so that NATS tools understand the bucket. This module reads them chunk by chunk on
 * demand, because the library buffers as much as the server sends.
 */
import { type JetStreamManager, jetstream, type NextMsgRequest, type SeqMsgRequest } from '@nats-io/jetstream'
import {
  Base64UrlPaddedCodec,
  type ObjectInfo,
  type ObjectStore,
  Objm,
  StorageType,
  setSha256Backend,
} from '@nats-io/obj'
import type { NatsConnection } from '@nats-io/transport-node'
import { diagnoseStream } from '../messaging/diagnose-nats.ts'
import { connectNatsWhenThere, raiseReplicas } from '../messaging/nats.ts'
import { type NatsSettings, parseNatsUrl } from '../messaging/settings.ts'
import type { ServiceProcess } from '../process.ts'
import { retry } from '../retry.ts'
import { withTimeout } from '../timers.ts'
import { checkedKey, isOldKey } from './document-key.ts'
import { fromStore, gone, readFrom, unavailable, writeFrom } from './failures.ts'
import type { FileStore } from './file-store.ts'
import { badUrl, checkParameters } from './open-file-store.ts'

/** For one request. A document takes many requests. */
const ANSWER_TIMEOUT_MS = 3_000
const REOPEN_WAIT_MS = 250
/** Longer than the write of any document from its first chunk to its end. */
const WRITE_MAX_MS = 10 * 60_000

// The default hash of the library is slow, because it is written for browsers.
setSha256Backend('native')

interface Bucket {
  objects: ObjectStore
  manager: JetStreamManager
}

/**
 * @param url `nats://token@host:4222/bucket?replicas=3`; a server of 2.9 or newer with JetStream. Without credentials,
 *   those of `nats` are used, and without a host its servers.
 */
export function openNatsStore(
  service: ServiceProcess,
  url: URL,
  nats: NatsSettings | undefined,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
): FileStore {
  const { name, connection: settings, replicas } = readUrl(url, nats)
  const connection = connectNatsWhenThere(service, { connection: settings })
  let failure: unknown = new Error('NATS is not connected')

  async function open(connected: NatsConnection): Promise<Bucket> {
    const client = jetstream(connected, { timeout: answerTimeoutMs })
    const manager = await client.jetstreamManager()
    const objects = await new Objm(client).create(name, { storage: StorageType.File, replicas })
    await raiseReplicas(manager, await manager.streams.info(stream), replicas)
    return { manager, objects }
  }

  /**
   * Retried, because servers do not answer requests for a stream that has no leader yet, for example of a new bucket.
   */
  async function openUntilStopped(): Promise<Bucket | undefined> {
    const connected = await connection
    if (!connected) return undefined
    const repeats = (error: unknown) => {
      failure = error
      return true
    }
    const options = { pauseMs: REOPEN_WAIT_MS, signal: service.stopping, repeats }
    return await retry(() => open(connected), options).catch(() => undefined)
  }

  const opened = openUntilStopped()

  async function bucket(): Promise<Bucket> {
    const store = await withTimeout(answerTimeoutMs, opened)
    if (!store) throw unavailable(failure)
    return store
  }

  const stream = `OBJ_${name}`
  service.diagnostics.add('document bucket', async () => ({
    streams: [await diagnoseStream((await bucket()).manager, stream, replicas)],
  }))
  const chunkSubject = (nuid: string) => `$O.${name}.C.${nuid}`
  const infoSubject = (key: string) => `$O.${name}.M.${Base64UrlPaddedCodec.encode(key)}`

  /** The first message of a subject after a sequence number. */
  async function next({ manager }: Bucket, subject: string, after: number) {
    const query: SeqMsgRequest & NextMsgRequest = { seq: after + 1, next_by_subj: subject }
    return await manager.streams.getMessage(stream, query)
  }

  /** Chunks before the offset are read and dropped, because their sequence numbers are not known. */
  async function* read(store: Bucket, { nuid, chunks }: ObjectInfo, offset: number): AsyncGenerator<Uint8Array> {
    for (let n = 0, seq = 0, skipBytes = offset; n < chunks; n++) {
      const chunk = await next(store, chunkSubject(nuid), seq)
      if (!chunk) throw gone()
      if (chunk.data.length > skipBytes) yield chunk.data.subarray(skipBytes)
      skipBytes = Math.max(0, skipBytes - chunk.data.length)
      seq = chunk.seq
    }
  }

  return {
    requireSpace: async () => undefined,
    async write(key, content) {
      const meta = { name: checkedKey(key) }
      const { objects } = await bucket()
      await writeFrom(content, (chunks) => objects.put(meta, ReadableStream.from(chunks), { timeout: answerTimeoutMs }))
    },
    async read(key, offset = 0) {
      const store = await bucket()
      const info = await fromStore(store.objects.info(checkedKey(key)))
      if (!info || info.deleted) throw gone()
      return readFrom(read(store, info, offset))
    },
    async delete(key) {
      const { objects, manager } = await bucket()
      try {
        if ((await objects.info(checkedKey(key))) === null) return
        await objects.delete(key)
        // The library leaves a tombstone for each deleted object.
        await manager.streams.purge(stream, { filter: infoSubject(key) })
      } catch (error) {
        throw unavailable(error)
      }
    },
    /** Scans the stream from its beginning. The info message of a document follows its chunks. */
    async *listOld(before) {
      const store = await bucket()
      const unfinished = new Map<string, Date>()
      for (let seq = 0; ; ) {
        const message = await fromStore(next(store, `$O.${name}.>`, seq))
        if (!message || message.time > before) break
        seq = message.seq
        const nuid = message.subject.split(chunkSubject(''))[1]
        if (nuid !== undefined) {
          unfinished.set(nuid, message.time)
          continue
        }
        const info = message.json<ObjectInfo>()
        unfinished.delete(info.nuid)
        if (isOldKey(info.name, before)) yield info.name
      }
      for (const [nuid, at] of unfinished)
        if (at.getTime() < before.getTime() - WRITE_MAX_MS)
          await fromStore(store.manager.streams.purge(stream, { filter: chunkSubject(nuid) }))
    },
  }
}

/** @throws ConfigError */
function readUrl(url: URL, nats: NatsSettings | undefined): NatsSettings & { name: string } {
  checkParameters(url, ['replicas'])
  const name = url.pathname.slice(1)
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw badUrl('must be nats://host:4222/bucket; a bucket name has 1 to 64 letters, digits, - and _')
  const server = findServer(url, nats)
  const replicas = url.searchParams.get('replicas') ?? String(server.replicas)
  if (!/^[1-5]$/.test(replicas)) throw badUrl('replicas must be 1 to 5')
  return { name, connection: server.connection, replicas: Number(replicas) }
}

function findServer({ protocol, host, username, password }: URL, nats: NatsSettings | undefined): NatsSettings {
  if (host === '') {
    if (nats) return nats
    throw badUrl('has no host, and PLATEN_NATS_URL is not set')
  }
  const own = parseNatsUrl(`${protocol}//${username && `${username}${password && `:${password}`}@`}${host}`)
  if (username !== '' || !nats) return own
  return { ...nats, connection: { ...own.connection, ...nats.connection, servers: own.connection.servers } }
}
