/** Resources in the form of PrintNode. */

import type { Timestamp } from '@bufbuild/protobuf/wkt'
import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Computer, ListNumberedPrintersResponse } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Job, JobEvent } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { getInteger } from './integer.ts'

/** Reference: docs/printnode.md#states. */
const STATES: Record<string, string> = {
  queued: 'new',
  sent: 'sent_to_client',
  received: 'sent_to_client',
  printing: 'sent_to_client',
  done: 'done',
  error: 'error',
  cancelled: 'deleted',
  expired: 'expired',
}
const toState = (state: string) => STATES[state] ?? state

export const computerToPrintNode = (computer: Computer) => ({
  id: computer.number,
  name: computer.name,
  inet: null,
  inet6: null,
  hostname: computer.hostname,
  version: computer.agentVersion,
  jre: null,
  createTimestamp: timestampToJson(computer.createdAt),
  state: computer.state === 'online' ? 'connected' : 'disconnected',
})

/** JSON that is written as it is, because capabilities are large. */
export class JsonText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export const toJsonArray = (texts: string[]) => new JsonText(`[${texts.join(',')}]`)

/** The JSON of each printer by its id. */
export function printersToPrintNode({ printers, computers, capabilities }: ListNumberedPrintersResponse) {
  const shownComputers = new Map(computers.map((computer) => [computer.id, computerToPrintNode(computer)]))
  return new Map(
    printers.map((printer, n) => {
      const facts = {
        id: printer.number,
        computer: shownComputers.get(printer.computerId) ?? null,
        name: printer.name,
        description: printer.description,
        default: printer.isDefault,
        createTimestamp: timestampToJson(printer.createdAt),
        state: printer.state === 'online' ? 'online' : 'offline',
      }
      return [printer.id, withMember(facts, 'capabilities', Buffer.from(capabilities[n] ?? []).toString())]
    }),
  )
}

const withMember = (json: object, name: string, text: string) =>
  `${JSON.stringify(json).slice(0, -1)},"${name}":${text}}`

/** @param printer its JSON; undefined if it was deleted. */
export const jobToPrintNode = (job: Job, printer = 'null') => withMember(toFacts(job), 'printer', printer)

const toFacts = (job: Job) => ({
  id: job.number,
  title: job.title,
  contentType: job.contentType,
  source: job.source,
  expireAt: timestampToJson(job.expiresAt),
  createTimestamp: timestampToJson(job.createdAt),
  state: toState(job.state),
})

/** Steps that PrintNode does not distinguish are one. */
export function statesToPrintNode(job: Job, events: JobEvent[]) {
  const states = events.map((event) => ({ ...event, state: toState(event.state) }))
  return states
    .filter(({ state }, n) => state !== states[n - 1]?.state)
    .map(({ state, message, createdAt }) => ({
      printJobId: job.number,
      state,
      message: message || state,
      data: null,
      clientVersion: null,
      createTimestamp: timestampToJson(createdAt),
      age: toMs(createdAt) - toMs(job.createdAt),
    }))
}

const toMs = (time: Timestamp | undefined) => (time ? timestampDate(time).getTime() : 0)

/** The id of an account, which has no number here. */
export const accountId = (organizationId: string) => getInteger(organizationId)
