/** What an agent asks of its spooler, written down before it asks and after the answer: a kill cannot make a call that nobody knows of. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { Spooler } from '../../spoolers/spooler.ts'

export interface RecordedCall {
  call: 'submit' | 'release'
  /** Of a release, or of a submission that was answered. */
  spoolerJobId?: string
  /** Of a submission. */
  token?: string
  /** Whether the call has been answered, and well; a failed one has no second line. */
  is: 'asked' | 'done'
}

export function recordCalls(spooler: Spooler, file: string): Spooler {
  const record = (call: RecordedCall) => appendFileSync(file, `${JSON.stringify(call)}\n`)
  return {
    ...spooler,
    async submitHeld(submission) {
      const { token } = submission
      record({ call: 'submit', token, is: 'asked' })
      const submitted = await spooler.submitHeld(submission)
      record({ call: 'submit', token, spoolerJobId: submitted.spoolerJobId, is: 'done' })
      return submitted
    },
    async release(spoolerJobId) {
      record({ call: 'release', spoolerJobId, is: 'asked' })
      await spooler.release(spoolerJobId)
      record({ call: 'release', spoolerJobId, is: 'done' })
    },
    async find(token) {
      const found = await spooler.find(token)
      if (found) record({ call: 'submit', token, spoolerJobId: found.spoolerJobId, is: 'done' })
      return found
    },
  }
}

export function readRecorded(file: string): RecordedCall[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  return lines.map((line) => JSON.parse(line))
}

/** What no kill may lead to: a token that is submitted after one of its jobs may have been released, or a job that is released twice. */
export function brokenPromises(calls: RecordedCall[]): string[] {
  const tokens = new Map<string, string>()
  const released = new Set<string>()
  const releasedTokens = new Set<string>()
  const broken: string[] = []
  for (const { call, is, token, spoolerJobId } of calls) {
    if (call === 'submit' && spoolerJobId && token) tokens.set(spoolerJobId, token)
    if (call === 'submit' && is === 'asked' && token && releasedTokens.has(token))
      broken.push(`${token} was submitted again after a release`)
    if (call === 'release' && spoolerJobId) releasedTokens.add(tokens.get(spoolerJobId) ?? 'unknown')
    if (call === 'release' && is === 'done' && spoolerJobId) {
      if (released.has(spoolerJobId)) broken.push(`${spoolerJobId} was released twice`)
      released.add(spoolerJobId)
    }
  }
  if (releasedTokens.has('unknown')) broken.push('a job was released that nobody submitted')
  return broken
}
