/**
 * Documents in a bucket of S3 or a compatible store. Credentials come from the provider chain of the SDK (environment,
 * shared files, web identity of a pod, instance metadata), never from the URL.
 *
 * A document below 5 MiB is one request. A larger document is uploaded in parts of 5 MiB, one at a time, and becomes
 * visible with the last part. A failed upload is aborted. The bucket's lifecycle rule deletes uploads that a crash left
 * (`docs/files.md`).
 */
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsCommand,
  NoSuchKey,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { ServiceProcess } from '../process.ts'
import { checkedKey, isOldKey, parseJobId } from './document-key.ts'
import { fromStore, gone, readFrom, unavailable, writeFrom } from './failures.ts'
import type { FileStore } from './file-store.ts'
import { badUrl, checkParameters } from './open-file-store.ts'

/** Memory per upload. The minimum of S3 for all parts except the last. */
const PART_BYTES = 5 * 1024 * 1024
const CONNECT_TIMEOUT_MS = 2_000
/** Until the first byte of the response, including the upload of a part of 5 MiB. */
const ANSWER_TIMEOUT_MS = 10_000
/** Without a byte in either direction. Long, because agents read slowly. */
const SILENT_MAX_MS = 30_000
const TRIES = 2

/**
 * @param url `s3://bucket/prefix?region=eu-central-1&endpoint=https://minio.internal:9000`; only the bucket is
 *   required.
 */
export function openS3Store(
  service: Pick<ServiceProcess, 'onStop'>,
  url: URL,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
): FileStore {
  const { bucket, prefix, client } = readUrl(url, answerTimeoutMs)
  const s3 = new S3Client(client)
  service.onStop('S3 connections', () => s3.destroy())
  const toObject = (key: string) => ({ Bucket: bucket, Key: `${prefix}${checkedKey(key)}` })

  return {
    requireSpace: async () => undefined,
    async write(key, content) {
      const object = toObject(key)
      await writeFrom(content, (chunks) => {
        const params = { ...object, Body: Readable.from(chunks, { objectMode: false }) }
        return new Upload({ client: s3, params, partSize: PART_BYTES, queueSize: 1 }).done()
      })
    },
    async read(key, offset = 0) {
      // A range of an empty document would be an error.
      const range = offset === 0 ? {} : { Range: `bytes=${offset}-` }
      try {
        const { Body } = await s3.send(new GetObjectCommand({ ...toObject(key), ...range }))
        if (!(Body instanceof Readable)) throw new Error('the S3 response has no body')
        return readFrom(Body)
      } catch (error) {
        if (error instanceof S3ServiceException && error.name === 'InvalidRange') return Readable.from([])
        throw error instanceof NoSuchKey ? gone(error) : unavailable(error)
      }
    },
    async delete(key) {
      await fromStore(s3.send(new DeleteObjectCommand(toObject(key))))
    },
    async *listOld(before) {
      // Version 1 of the call, which continues after a name, because documents change between two pages.
      for (let after: string | undefined; ; ) {
        const page = new ListObjectsCommand({ Bucket: bucket, Prefix: prefix, Marker: after })
        const { Contents: objects = [], IsTruncated } = await fromStore(s3.send(page))
        for (const { Key: name = '' } of objects) {
          after = name
          const key = name.slice(prefix.length)
          if (isOldKey(key, before)) yield key
          // Names are listed in order, and document keys begin with their creation time.
          else if (parseJobId(key) !== undefined) return
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
    throw badUrl('must not contain credentials; set AWS_ACCESS_KEY_ID or another source of the AWS SDK')
  const region = url.searchParams.get('region') ?? undefined
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    throw badUrl('endpoint must be an http or https URL')
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    client: {
      // Self-hosted stores have no regions, but signatures contain one.
      region: region ?? (endpoint === undefined ? undefined : 'us-east-1'),
      endpoint,
      forcePathStyle: endpoint !== undefined,
      maxAttempts: TRIES,
      // Some stores do not support checksums. Readers compare the SHA-256.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: CONNECT_TIMEOUT_MS,
        requestTimeout: answerTimeoutMs,
        throwOnRequestTimeout: true,
        socketTimeout: SILENT_MAX_MS,
      },
    },
  }
}
