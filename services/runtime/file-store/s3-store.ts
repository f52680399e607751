/**
 * Documents in a bucket of S3 or of a store that speaks its language. Credentials come by the SDK's own chain (environment, shared files,
 * web identity of a pod, metadata of an instance), never by the URL.
 *
 * A document below 5 MiB is one request; a larger one goes in parts of 5 MiB, one at a time, of which nothing is seen before the last.
 * An upload that ends early is aborted; what a crash leaves of one is for the bucket's lifecycle rule (`docs/files.md`).
 */
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsCommand,
  NoSuchKey,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { ServiceProcess } from '../process.ts'
import { checkedKey, isOldKey, jobIdOf } from './document-key.ts'
import { fromStore, gone, readFrom, unavailable, writeFrom } from './failures.ts'
import type { FileStore } from './file-store.ts'
import { badUrl, checkParameters } from './open-file-store.ts'

/** Its parts are what a document takes of memory; S3 takes none smaller but the last. */
const PART_BYTES = 5 * 1024 * 1024
const CONNECT_WITHIN_MS = 2_000
/** To begin its answer: a part of 5 MiB has been sent by then. */
const ANSWER_TIMEOUT_MS = 10_000
/** No byte in either direction; agents read slowly. */
const SILENT_MAX_MS = 30_000
const TRIES = 2

/** @param url `s3://bucket/prefix?region=eu-central-1&endpoint=https://minio.internal:9000`; all but the bucket may be left out. */
export function openS3Store(
  service: Pick<ServiceProcess, 'onStop'>,
  url: URL,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
): FileStore {
  const { bucket, prefix, client } = readUrl(url, answerTimeoutMs)
  const s3 = new S3Client(client)
  service.onStop('S3 connections', () => s3.destroy())
  const placeOf = (key: string) => ({ Bucket: bucket, Key: `${prefix}${checkedKey(key)}` })

  return {
    async write(key, content) {
      const place = placeOf(key)
      await writeFrom(content, (chunks) => {
        const params = { ...place, Body: Readable.from(chunks, { objectMode: false }) }
        return new Upload({ client: s3, params, partSize: PART_BYTES, queueSize: 1 }).done()
      })
    },
    async read(key) {
      try {
        const { Body } = await s3.send(new GetObjectCommand(placeOf(key)))
        if (!(Body instanceof Readable)) throw new Error('S3 answered without a body')
        return readFrom(Body)
      } catch (error) {
        throw error instanceof NoSuchKey ? gone(error) : unavailable(error)
      }
    },
    async delete(key) {
      await fromStore(s3.send(new DeleteObjectCommand(placeOf(key))))
    },
    async *listOld(before) {
      // By the first version of the call, which goes on behind a name: documents come and go between two pages.
      for (let after: string | undefined; ; ) {
        const page = new ListObjectsCommand({ Bucket: bucket, Prefix: prefix, Marker: after })
        const { Contents: objects = [], IsTruncated } = await fromStore(s3.send(page))
        for (const { Key: name = '' } of objects) {
          after = name
          const key = name.slice(prefix.length)
          if (isOldKey(key, before)) yield key
          // Names are listed in their order, and those of documents begin with their time.
          else if (jobIdOf(key) !== undefined) return
        }
        if (!IsTruncated) return
      }
    },
  }
}

/** @throws ConfigError */
function readUrl(url: URL, answerTimeoutMs: number): { bucket: string; prefix: string; client: S3ClientConfig } {
  checkParameters(url, ['region', 'endpoint'])
  if (url.hostname === '') throw badUrl('needs a bucket, such as s3://bucket/prefix')
  if (url.username !== '' || url.password !== '')
    throw badUrl('must not contain credentials; S3 gets them by AWS_ACCESS_KEY_ID, or as the AWS SDK finds them')
  const region = url.searchParams.get('region') ?? undefined
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw badUrl('has an endpoint that is no http or https URL')
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    client: {
      // Stores of one's own have no regions, but signatures name one.
      region: region ?? (endpoint === undefined ? undefined : 'us-east-1'),
      endpoint,
      forcePathStyle: endpoint !== undefined,
      maxAttempts: TRIES,
      // Sums that not every store knows; who reads compares the SHA-256.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_WITHIN_MS,
        requestTimeout: answerTimeoutMs,
        throwOnRequestTimeout: true,
        socketTimeout: SILENT_MAX_MS,
      },
    },
  }
}
