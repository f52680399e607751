import { Readable } from 'node:stream'
import { DOWNLOADS_AT_ONCE } from '@platen/resources/limits.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { MANAGERS, ROLES } from '../../caller.ts'
import type { Gateway } from '../../gateway.ts'
import { operation } from '../../operation/operation.ts'
import { createConcurrencyLimit } from '../../rate-limit/concurrency-limit.ts'
import { sendDocument } from '../../send-document.ts'

export const getPrintJobDocument = operation({
  operationId: 'getPrintJobDocument',
  method: 'get',
  path: '/v1/printjobs/{id}/document',
  ids: { id: 'print job' },
  scope: 'admin',
  roles: { live: MANAGERS, test: ROLES },
  needsRecentSignIn: ({ mode }) => mode === 'live',
  isAudited: true,
  tag: 'Print jobs',
  summary: 'Read the document of a print job',
  description:
    'Returns the bytes of the stored document, which are stored for 7 days, or until the job has ended if its `retain` is false. Documents are untrusted: the response is a download and must not be shown as a page. If the stored bytes have changed, the connection is closed before the last byte. The operator can switch this operation off, then the response is `403 forbidden`.',
  answer: { status: 200, description: 'The document.', contentType: 'application/octet-stream' },
  errors: ['forbidden', 'file_expired', 'storage_unavailable'],
  handle: (gateway) => {
    const limitDownloads = createConcurrencyLimit('downloads of documents', DOWNLOADS_AT_ONCE)
    return async ({ ctx, tenant, ids }) => {
      if (!gateway.documentPreview)
        throw new ApiError('forbidden', 'The operator of this service does not permit reading documents.')
      await limitDownloads(ctx, async () => {
        const document = await gateway.jobs.getStoredDocument({ ...tenant, jobId: ids.id })
        const { storageKey, content } = document
        const bytes = storageKey === '' ? Readable.from([content]) : await readStored(gateway, storageKey)
        await sendDocument(ctx, bytes, {
          name: `${ids.id}.bin`,
          sizeBytes: Number(document.fileSizeBytes),
          sha256: document.fileSha256,
        })
      })
    }
  },
})

async function readStored({ fileStore }: Gateway, storageKey: string): Promise<Readable> {
  try {
    return await fileStore.read(storageKey)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found')
      throw new ApiError(
        'not_found',
        'The document of this job is not stored: the document store does not have it any more.',
      )
    throw error
  }
}
