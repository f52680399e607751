/**
 * A stored document that no job has is deleted: if the request is refused or replayed, and if the result of the call to
 * jobs is unknown, because the caller gets an error and repeats the request. (With an `Idempotency-Key` the repeated
 * request finds the job, and IPP looks for it before it answers, so the document is kept.)
 */
import { ApiError } from '@platen/runtime/errors.ts'
import type { RequestContext } from '../context.ts'
import type { Gateway } from '../gateway.ts'

/** Deletes stored documents, by the ids of their jobs. A failure is logged. */
export type DeleteDocuments = (jobIds: string[]) => Promise<void>

export function createDocumentDeletion({ fileStore, log }: Pick<Gateway, 'fileStore' | 'log'>): DeleteDocuments {
  return async (jobIds) => {
    for (const id of jobIds)
      await fileStore.delete(id).catch((err: unknown) => {
        log.error(
          { err, storage_key: id },
          'failed to delete a document without a job, it stays until its retention time ends',
        )
      })
  }
}

/**
 * @returns whether no job has the documents of a request that failed with this error, or none that a repeated request
 *   would find.
 */
export function isUnused(ctx: RequestContext, error: unknown, isSoughtAfter = false): boolean {
  const isRefused = error instanceof ApiError && error.status < 500
  return !(isSoughtAfter || ctx.state.idempotency?.isSubmitted) || isRefused
}
