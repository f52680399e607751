/** The public names of the package. */
export type { PrintJobData, Query } from './api.ts'
export { Platen, type PlatenOptions } from './client.ts'
export * from './errors.ts'
export { Feed, type FollowOptions } from './events.ts'
/** The resources of the API. `PrintJob` is the class above. */
export type * from './gen/schema.ts'
export type { RequestOptions } from './http.ts'
export type { List, Page } from './list.ts'
export type { DocumentContent } from './open-document.ts'
export type { PrintJob } from './print-job.ts'
export type { CreateOptions, NewPrintJob, WaitOptions } from './print-jobs.ts'
export { verifyWebhook, type WebhookHeaders } from './verify-webhook.ts'
