/**
 * Documents in an object store of JetStream, on a connection of its own: large documents do not hold up the small words that the services
 * exchange by NATS. The bucket is made when it is missing.
 *
 * Written by the library, so that its tools understand the bucket. Read by us, chunk by chunk as they are wanted, since the library takes
 * as much into memory as the server sends.
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
import { connectNatsWhenThere } from '../messaging/nats.ts'
import type { ServiceProcess } from '../process.ts'
import { atMost } from '../timers.ts'
import { checkedKey, isOldKey } from './document-key.ts'
import { fromStore, gone, readFrom, unavailable, writeFrom } from './failures.ts'
import type { FileStore } from './file-store.ts'
import { badUrl, checkParameters } from './open-file-store.ts'

/** For one request; a document is many. */
const ANSWER_TIMEOUT_MS = 3_000
/** Longer than any document takes to write, from its first chunk to its end. */
const WRITE_MAX_MS = 10 * 60_000

// The library's own hash is made for browsers.
setSha256Backend('native')

interface Bucket {
  objects: ObjectStore
  manager: JetStreamManager
}

/** @param url `nats://token@host:4222/bucket?replicas=3`; a server of 2.9 or newer with JetStream. */
export function openNatsStore(service: ServiceProcess, url: URL, answerTimeoutMs = ANSWER_TIMEOUT_MS): FileStore {
  const { name, replicas } = readUrl(url)
  const connection = connectNatsWhenThere(service, url.href)
  let opened: Promise<Bucket> | undefined

  async function open(): Promise<Bucket> {
    const connected = await atMost(answerTimeoutMs, connection)
    if (!connected) throw new Error('there is no connection to NATS')
    const client = jetstream(connected, { timeout: answerTimeoutMs })
    const manager = await client.jetstreamManager()
    return { manager, objects: await new Objm(client).create(name, { storage: StorageType.File, replicas }) }
  }

  /** Tried again at the next call when it fails. */
  function bucket(): Promise<Bucket> {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return fromStore(opened)
  }

  const stream = `OBJ_${name}`
  const chunksOf = (nuid: string) => `$O.${name}.C.${nuid}`
  const factsOf = (key: string) => `$O.${name}.M.${Base64UrlPaddedCodec.encode(key)}`

  /** The first message of a subject behind another one. */
  async function next({ manager }: Bucket, subject: string, behind: number) {
    const query: SeqMsgRequest & NextMsgRequest = { seq: behind + 1, next_by_subj: subject }
    return await manager.streams.getMessage(stream, query)
  }

  async function* read(store: Bucket, { nuid, chunks }: ObjectInfo): AsyncGenerator<Uint8Array> {
    for (let n = 0, seq = 0; n < chunks; n++) {
      const chunk = await next(store, chunksOf(nuid), seq)
      if (!chunk) throw gone()
      yield chunk.data
      seq = chunk.seq
    }
  }

  return {
    async write(key, content) {
      const named = { name: checkedKey(key) }
      const { objects } = await bucket()
      await writeFrom(content, (chunks) =>
        objects.put(named, ReadableStream.from(chunks), { timeout: answerTimeoutMs }),
      )
    },
    async read(key) {
      const store = await bucket()
      const facts = await fromStore(store.objects.info(checkedKey(key)))
      if (!facts || facts.deleted) throw gone()
      return readFrom(read(store, facts))
    },
    async delete(key) {
      const { objects, manager } = await bucket()
      try {
        if ((await objects.info(checkedKey(key))) === null) return
        await objects.delete(key)
        // The library leaves a mark for each object that there ever was.
        await manager.streams.purge(stream, { filter: factsOf(key) })
      } catch (error) {
        throw unavailable(error)
      }
    },
    /** Reads what is old from the beginning on: chunks, and behind those of a document its facts. */
    async *listOld(before) {
      const store = await bucket()
      const withoutFacts = new Map<string, Date>()
      for (let seq = 0; ; ) {
        const message = await fromStore(next(store, `$O.${name}.>`, seq))
        if (!message || message.time > before) break
        seq = message.seq
        const nuid = message.subject.split(chunksOf(''))[1]
        if (nuid !== undefined) {
          withoutFacts.set(nuid, message.time)
          continue
        }
        const facts = message.json<ObjectInfo>()
        withoutFacts.delete(facts.nuid)
        if (isOldKey(facts.name, before)) yield facts.name
      }
      for (const [nuid, at] of withoutFacts)
        if (at.getTime() < before.getTime() - WRITE_MAX_MS)
          await fromStore(store.manager.streams.purge(stream, { filter: chunksOf(nuid) }))
    },
  }
}

/** @throws ConfigError */
function readUrl(url: URL): { name: string; replicas: number } {
  checkParameters(url, ['replicas'])
  const name = url.pathname.slice(1)
  if (url.host === '' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw badUrl('must be nats://host:4222/bucket, where a bucket has letters, digits, - and _')
  const replicas = url.searchParams.get('replicas') ?? '1'
  if (!/^[1-5]$/.test(replicas)) throw badUrl('has a number of replicas that is not 1 to 5')
  return { name, replicas: Number(replicas) }
}
