/** An IPP printer whose answers a test sets. It has one job, and prints nothing. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { decodeMessage } from '@platen/ipp/decode.ts'
import { encodeMessage } from '@platen/ipp/encode.ts'
import { type IppJobState, JOB_STATES } from '@platen/ipp/enums.ts'
import { OPERATIONS } from '@platen/ipp/operations.ts'
import { type IppStatus, STATUS_CODES } from '@platen/ipp/status-codes.ts'
import { GROUPS } from '@platen/ipp/tags.ts'
import { integer } from '@platen/ipp/typed.ts'
import { onTestFinished } from 'vitest'

interface Script {
  /** The state of the job. */
  job: IppJobState
  /** Its state and reasons. */
  printer: IppTypedAttributes
  /**
   * The attributes of the job in the answer to an operation, or the status of a refusal; undefined for all attributes.
   */
  describe?: (operation: number, attributes: Record<string, unknown[]>) => IppTypedAttributes | IppStatus | undefined
  /** Answers a request instead of the printer. @returns false for no answer. */
  refuse?: (operation: number, response: ServerResponse) => unknown
  /** Awaited before the body of a request is read, and before it is answered. */
  pause?: (before: 'reading' | 'answering', request: IncomingMessage) => Promise<unknown>
}

export async function startIppPrinter() {
  const script: Script = { job: 'processing', printer: {} }
  const uri = (path: string) => `ipp://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`
  const jobs: string[] = []
  const getStateCode = () => Number(Object.entries(JOB_STATES).find(([, keyword]) => keyword === script.job)?.[0])

  function answer(operation: number, attributes: Record<string, unknown[]>): [tag: number, IppTypedAttributes][] {
    if (operation === OPERATIONS['Get-Printer-Attributes'])
      return [
        [
          GROUPS.printer,
          {
            'document-format-supported': { syntax: 'mimeMediaType', value: 'application/pdf' },
            ...script.printer,
          },
        ],
      ]
    if (operation === OPERATIONS['Print-Job']) jobs.push(String(attributes['job-name']?.[0]))
    return jobs.map((name) => [
      GROUPS.job,
      {
        'job-id': integer(7),
        'job-uri': { syntax: 'uri', value: uri('jobs/7') },
        'job-name': { syntax: 'nameWithoutLanguage', value: name },
        'job-state': { syntax: 'enum', value: getStateCode() },
      },
    ])
  }

  const server = createServer(async (request, response) => {
    await script.pause?.('reading', request)
    const { code, groups } = decodeMessage(await buffer(request))
    await script.pause?.('answering', request)
    if (script.refuse?.(code, response)) return
    const asked = groups[0]?.attributes ?? {}
    const described = script.describe?.(code, asked)
    const all = answer(code, asked)
    const answered = typeof described === 'object' ? [[GROUPS.job, described] as const] : described ? [] : all
    const message = encodeMessage({
      version: [2, 0],
      code: STATUS_CODES[typeof described === 'string' ? described : 'successful-ok'],
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
  return Object.assign(script, { uri: uri('ipp/print'), jobs })
}
