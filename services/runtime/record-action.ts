/**
 * The audit log. An action is written before it happens and its outcome after it, so an action whose process crashes
 * leaves a row without outcome. Called by the gateway and by commands of operators. Reference:
 * docs/reference/sessions.md#audit-log.
 */
import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Client } from '@connectrpc/connect'
import type { AccountsService, BeginActionRequestSchema } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { v7 as uuidv7 } from 'uuid'
import { ApiError } from './errors.ts'

type Request = MessageInitShape<typeof BeginActionRequestSchema>

interface Recording<Result> {
  accounts: Pick<Client<typeof AccountsService>, 'beginAction' | 'endAction'>
  /** The organization whose log gets the action. */
  log: Omit<Request, 'action' | '$typeName' | '$unknown'>
  action: Omit<NonNullable<Request['action']>, 'id' | '$typeName' | '$unknown'>
  /** The name of the target, read before the action, which can delete it. Must not fail. */
  readTargetName?: () => Promise<string | undefined>
  /** The id of what was created, if the action has no target. */
  getCreated?: (result: Result) => string | undefined
  /** The outcome could not be written. The action has happened, or has failed, as usual. */
  onUnrecorded: (error: Error) => void
}

/**
 * Runs an action and records it.
 *
 * @throws ApiError `service_unavailable` if the action cannot be recorded; it then does not happen. What `run` throws.
 */
export async function recordAction<Result>(
  { accounts, log, action, readTargetName, getCreated, onUnrecorded }: Recording<Result>,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  const id = uuidv7()
  await accounts.beginAction({ ...log, action: { ...action, id } })
  const targetName = await readTargetName?.()
  const end = (outcome: string, target?: string) =>
    accounts.endAction({ actionId: id, outcome, target, targetName }).catch(onUnrecorded)
  try {
    const result = await run()
    await end('ok', getCreated?.(result))
    return result
  } catch (error) {
    await end(error instanceof ApiError ? error.code : 'internal_error')
    throw error
  }
}
