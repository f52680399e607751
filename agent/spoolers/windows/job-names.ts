/** How a job is called in the queue, and how the agent finds it again: Windows gives its numbers away anew. */
import { readable } from './strings.ts'

export interface JobKey {
  jobId: number
  token: string
  printerName: string
}

/** What queues and print servers show well; the token behind it must not be cut. */
const TITLE_MAX_CHARACTERS = 100

const KEY = /^(?<jobId>\d+) (?<token>\S+) (?<printerName>.+)$/s

export function documentName(title: string, token: string): string {
  return `${[...readable(title)].slice(0, TITLE_MAX_CHARACTERS).join('')} [${token}]`
}

export const isNamedFor = (document: string, token: string) => document.endsWith(`[${token}]`)

/** Whether some agent gave the job its name. */
export const isAgentJob = (document: string) => /\[[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\]$/.test(document)

export const keyToId = ({ jobId, token, printerName }: JobKey) => `${jobId} ${token} ${printerName}`

/** Undefined for an id that another driver gave. */
export function idToKey(spoolerJobId: string): JobKey | undefined {
  const { jobId, token, printerName } = KEY.exec(spoolerJobId)?.groups ?? {}
  return token && printerName ? { jobId: Number(jobId), token, printerName } : undefined
}
