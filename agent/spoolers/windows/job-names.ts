/** The names of jobs in queues, which identify the jobs of the agent. Windows reuses the numbers of jobs. */
import { removeControls } from './strings.ts'

export interface JobKey {
  jobId: number
  token: string
  printerName: string
}

/** Queues and print servers display this length. The token after it must not be truncated. */
const TITLE_MAX_CHARACTERS = 100

const KEY = /^(?<jobId>\d+) (?<token>\S+) (?<printerName>.+)$/s

export function toDocumentName(title: string, token: string): string {
  return `${[...removeControls(title)].slice(0, TITLE_MAX_CHARACTERS).join('')} [${token}]`
}

export const hasToken = (document: string, token: string) => document.endsWith(`[${token}]`)

/** Whether the name ends with the token of an agent. */
export const isAgentJob = (document: string) => /\[[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\]$/.test(document)

export const toSpoolerJobId = ({ jobId, token, printerName }: JobKey) => `${jobId} ${token} ${printerName}`

/** Undefined for an id of another driver. */
export function parseSpoolerJobId(spoolerJobId: string): JobKey | undefined {
  const { jobId, token, printerName } = KEY.exec(spoolerJobId)?.groups ?? {}
  return token && printerName ? { jobId: Number(jobId), token, printerName } : undefined
}
