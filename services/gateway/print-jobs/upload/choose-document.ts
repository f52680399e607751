/**
 * Decides how the jobs service gets the document of a job: inline, from the file store, by a fetch, or from an earlier
 * job. An uploaded image is fetched from the file store, because its conversion can take seconds.
 */
import { Readable } from 'node:stream'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { JobCreationSchema, SheetsSchema } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { checkAddresses, refusedHostText } from '@platen/runtime/fetch/public-network.ts'
import { urlFaultText } from '@platen/runtime/fetch/public-url.ts'
import type { Gateway } from '../../gateway.ts'
import { isUri, type PrintJobRequest } from './print-job-request.ts'
import type { ReceivedPrintJob } from './receive-print-job.ts'

/** The timeout of the DNS look-up. */
const LOOK_UP_TIMEOUT_MS = 5_000

export type Sheets = MessageInitShape<typeof SheetsSchema>

/** What arrived as the document of a job. */
export type ReceivedDocument = Pick<
  ReceivedPrintJob,
  'isStored' | 'content' | 'text' | 'checkedDocument' | 'requireFormat'
>

type ChosenDocument = Pick<MessageInitShape<typeof JobCreationSchema>, 'contentType' | 'document'>

/**
 * @param sheets of the printer, for an image.
 * @throws ApiError `invalid_content`, `invalid_content_url`, `service_unavailable`, `storage_unavailable`
 */
export async function chooseDocument(
  { publicNetwork, fileStore }: Pick<Gateway, 'publicNetwork' | 'fileStore'>,
  { document, sheets }: Pick<PrintJobRequest, 'document'> & { sheets: Sheets },
  jobId: string,
  received: ReceivedDocument,
): Promise<ChosenDocument> {
  if ('reprintOf' in document) return { document: { case: 'reprintOf', value: document.reprintOf } }
  const { contentType, authentication } = document
  const forImage = contentType.startsWith('image_') && { sheets }
  if (!isUri(contentType)) {
    const { sizeBytes, sha256 } = received.checkedDocument(contentType)
    received.requireFormat()
    if (forImage) {
      if (!received.isStored) await fileStore.write(jobId, Readable.from([received.content]))
      received.isStored = true
      return {
        contentType,
        document: { case: 'fetch', value: { storageKey: jobId, sizeBytes: BigInt(sizeBytes), ...forImage } },
      }
    }
    const where = received.isStored ? { storageKey: jobId } : { content: received.content }
    return { contentType, document: { case: 'stored', value: { ...where, sizeBytes: BigInt(sizeBytes), sha256 } } }
  }
  const url = await checkedUrl(publicNetwork, received.text())
  // The start of a URL can be valid base64.
  if (received.isStored) await fileStore.delete(jobId)
  const { user, pass: password } = authentication?.credentials ?? {}
  const credentials = user !== undefined && password !== undefined ? { user, password } : undefined
  return { contentType, document: { case: 'fetch', value: { url, credentials, ...forImage } } }
}

/** @param text undefined if it is longer than any URL. */
export async function checkedUrl(network: Gateway['publicNetwork'], text: string | undefined): Promise<string> {
  if (text === undefined) throw urlTooLong()
  const read = network.readUrl(text)
  if ('fault' in read) {
    const remedy = read.fault === 'user_info' ? '. Send them as `authentication`, of the type `BasicAuth`' : ''
    throw refusal(`the URL ${urlFaultText(read.fault)}${remedy}`)
  }
  const refused = refusedHostText(read.url, ' Send the file itself, which needs no address.')
  await checkAddresses(network, read.url, LOOK_UP_TIMEOUT_MS, () => refusal(refused))
  return text
}

const refusal = (fault: string) => new ApiError('invalid_content_url', `\`content\`: ${fault}.`, { param: 'content' })

export const urlTooLong = () => refusal(`the URL ${urlFaultText('length')}`)
