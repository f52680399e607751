/** Status codes of responses (RFC 8011, appendix B, with the codes that were registered later). */
export const STATUS_CODES = {
  'successful-ok': 0x0000,
  'successful-ok-ignored-or-substituted-attributes': 0x0001,
  'successful-ok-conflicting-attributes': 0x0002,
  'successful-ok-ignored-subscriptions': 0x0003,
  'successful-ok-too-many-events': 0x0005,
  'successful-ok-events-complete': 0x0007,
  'client-error-bad-request': 0x0400,
  'client-error-forbidden': 0x0401,
  'client-error-not-authenticated': 0x0402,
  'client-error-not-authorized': 0x0403,
  'client-error-not-possible': 0x0404,
  'client-error-timeout': 0x0405,
  'client-error-not-found': 0x0406,
  'client-error-gone': 0x0407,
  'client-error-request-entity-too-large': 0x0408,
  'client-error-request-value-too-long': 0x0409,
  'client-error-document-format-not-supported': 0x040a,
  'client-error-attributes-or-values-not-supported': 0x040b,
  'client-error-uri-scheme-not-supported': 0x040c,
  'client-error-charset-not-supported': 0x040d,
  'client-error-conflicting-attributes': 0x040e,
  'client-error-compression-not-supported': 0x040f,
  'client-error-compression-error': 0x0410,
  'client-error-document-format-error': 0x0411,
  'client-error-document-access-error': 0x0412,
  'client-error-attributes-not-settable': 0x0413,
  'client-error-ignored-all-subscriptions': 0x0414,
  'client-error-too-many-subscriptions': 0x0415,
  'client-error-document-password-error': 0x0418,
  'client-error-document-permission-error': 0x0419,
  'client-error-document-security-error': 0x041a,
  'client-error-document-unprintable-error': 0x041b,
  'client-error-account-info-needed': 0x041c,
  'client-error-account-closed': 0x041d,
  'client-error-account-limit-reached': 0x041e,
  'client-error-account-authorization-failed': 0x041f,
  'client-error-not-fetchable': 0x0420,
  'server-error-internal-error': 0x0500,
  'server-error-operation-not-supported': 0x0501,
  'server-error-service-unavailable': 0x0502,
  'server-error-version-not-supported': 0x0503,
  'server-error-device-error': 0x0504,
  'server-error-temporary-error': 0x0505,
  'server-error-not-accepting-jobs': 0x0506,
  'server-error-busy': 0x0507,
  'server-error-job-canceled': 0x0508,
  'server-error-multiple-document-jobs-not-supported': 0x0509,
  'server-error-printer-is-deactivated': 0x050a,
  'server-error-too-many-jobs': 0x050b,
  'server-error-too-many-documents': 0x050c,
} as const

export type IppStatus = keyof typeof STATUS_CODES

const KEYWORDS = new Map<number, IppStatus>(
  Object.entries(STATUS_CODES).map(([keyword, code]) => [code, keyword as IppStatus]),
)

/** An unknown code is treated as the first of its class, as RFC 8011 requires. */
export function toStatus(code: number): IppStatus {
  return KEYWORDS.get(code) ?? KEYWORDS.get(code & 0xff00) ?? 'server-error-internal-error'
}
