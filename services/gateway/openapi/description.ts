/** What people are told about one operation. Everything that can be taken from its row in `operations.ts`, or is the same for all, is not said here. */
import type { DocumentedCode } from './errors.ts'
import type { ParameterName } from './parameters.ts'

export const TAGS = {
  'Print jobs': 'Send documents to printers and follow them.',
  Printers: 'What agents have reported, and your settings for it.',
  Computers: 'The computers that run the agent.',
  Webhooks: 'Events that are sent to your URLs as they happen.',
  Events:
    'What happened to print jobs, computers and printers, as webhooks deliver it and for those who would rather ask.',
  Account: 'Your key, your organization and what it uses.',
} as const

export interface Description {
  tag: keyof typeof TAGS
  /** A few words. */
  summary: string
  /** Paragraphs of plain sentences; `code` in backticks. */
  description: string
  query?: readonly ParameterName[]
  /** Whether it takes `Idempotency-Key`. */
  idempotent?: boolean
  /** The name of a schema in `schemas.ts`. */
  body?: string
  /** A request without one is as good as one with an empty object. */
  bodyMayBeMissing?: boolean
  success: { status: 200 | 201 | 202 | 204; description: string; schema?: string }
  /** Beside those that every operation of its kind has: see `codesOf`. */
  errors?: readonly DocumentedCode[]
}

export type Descriptions = Record<string, Description>
