/** An IPP printer whose answers a test sets. It has one job, and prints nothing. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { IppTypedAttributes } from '../ipp/attributes.ts'
import { decodeMessage } from '../ipp/decode.ts'
import { encodeMessage } from '../ipp/encode.ts'
import { type IppJobState, JOB_STATES } from '../ipp/enums.ts'
import { OPERATIONS } from '../ipp/operations.ts'
import { STATUS_CODES } from '../ipp/status-codes.ts'
import { GROUPS } from '../ipp/tags.ts'
import { integer } from '../ipp/typed.ts'

interface Script {
  /** The state of the job. */
  job: IppJobState
  /** Answers a request instead of the printer. @returns false for no answer. */
  refuse?: (operation: number, response: ServerResponse) => unknown
}

export async function startIppPrinter() {
  const script: Script = { job: 'processing' }
  const jobs: string[] = []
  const getStateCode = () => Number(Object.entries(JOB_STATES).find(([, keyword]) => keyword === script.job)?.[0])

  function answer(operation: number, attributes: Record<string, unknown[]>): [tag: number, IppTypedAttributes][] {
    if (operation === OPERATIONS['Get-Printer-Attributes'])
      return [[GROUPS.printer, { 'document-format-supported': { syntax: 'mimeMediaType', value: 'application/pdf' } }]]
    if (operation === OPERATIONS['Print-Job']) jobs.push(String(attributes['job-name']?.[0]))
    return jobs.map((name) => [
      GROUPS.job,
      {
        'job-id': integer(7),
        'job-name': { syntax: 'nameWithoutLanguage', value: name },
        'job-state': { syntax: 'enum', value: getStateCode() },
      },
    ])
  }

  const server = createServer(async (request, response) => {
    const { code, groups } = decodeMessage(await buffer(request))
    if (script.refuse?.(code, response)) return
    const answered = answer(code, groups[0]?.attributes ?? {})
    const message = encodeMessage({
      version: [2, 0],
      code: STATUS_CODES['successful-ok'],
      requestId: 1,
      groups: [
        { tag: GROUPS.operation, attributes: { 'attributes-charset': { syntax: 'charset', value: 'utf-8' } } },
        ...answered.map(([tag, attributes]) => ({ tag, attributes })),
      ],
    })
    response.writeHead(200, { 'content-type': 'application/ipp' }).end(message)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(script, { uri: `ipp://127.0.0.1:${(server.address() as AddressInfo).port}/ipp/print`, jobs })
}
