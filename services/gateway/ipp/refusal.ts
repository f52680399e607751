import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import type { IppStatus } from '@platen/ipp/status-codes.ts'
import type { ErrorCode } from '@platen/runtime/errors.ts'

/** A refusal in the terms of IPP. Its message is for people. */
export class IppRefusal extends Error {
  readonly status: IppStatus
  /** The attributes that are the cause, with the values that are not supported. */
  readonly unsupported: IppTypedAttributes | undefined

  constructor(status: IppStatus, message: string, unsupported?: IppTypedAttributes) {
    super(message)
    this.status = status
    this.unsupported = unsupported
  }
}

/** The statuses for errors of the API. Reference: docs/reference/ipp.md#errors. Other errors are defects. */
export const STATUSES: Partial<Record<ErrorCode, IppStatus>> = {
  invalid_request: 'client-error-bad-request',
  quota_exceeded: 'client-error-account-limit-reached',
  test_mode_daily_cap: 'client-error-account-limit-reached',
  limit_reached: 'client-error-account-limit-reached',
  organization_suspended: 'client-error-account-closed',
  not_found: 'client-error-not-found',
  mode_mismatch: 'client-error-not-found',
  request_timeout: 'client-error-timeout',
  not_cancellable: 'client-error-not-possible',
  content_too_large: 'client-error-request-entity-too-large',
  invalid_content: 'client-error-document-format-error',
  printer_disabled: 'server-error-not-accepting-jobs',
  rate_limited: 'server-error-busy',
  service_unavailable: 'server-error-busy',
  storage_unavailable: 'server-error-busy',
}
