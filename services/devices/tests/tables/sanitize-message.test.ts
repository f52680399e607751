/** What is left of any message of an agent: docs/reference/agents.md#bounds. */
import { create, type MessageInitShape, toBinary, toJson } from '@bufbuild/protobuf'
import {
  ConnectRequestSchema,
  type ReportedPrinterSchema,
  ReportedState,
  ReportSchema,
} from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { CommandResult } from '@platen/proto/gen/platen/commands/v1/commands_pb.ts'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { proves } from '@platen/test/harness/rules.ts'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { expect, test, vi } from 'vitest'
import { sanitizeMessage } from '../../agents/sanitize-message.ts'

type Message = NonNullable<MessageInitShape<typeof ConnectRequestSchema>['message']>
type Printer = MessageInitShape<typeof ReportedPrinterSchema>

function sanitize(message: Message) {
  const request = create(ConnectRequestSchema, { message })
  const onCut = vi.fn()
  const refusal = sanitizeMessage(request, onCut)
  return { request, refusal, isCut: onCut.mock.calls.length > 0 }
}

const JOB_ID = uuidv7()
const sanitized = (message: Message) => sanitize(message).request.message.value

function report(facts: MessageInitShape<typeof ReportSchema>) {
  return sanitized({ case: 'report', value: { jobId: JOB_ID, state: ReportedState.ERROR, ...facts } })
}

function reportPrinters(...printers: Printer[]) {
  const { request, isCut } = sanitize({ case: 'printers', value: { printers } })
  return { isCut, printers: request.message.case === 'printers' ? request.message.value.printers : [] }
}

test('texts are cut to their bytes at a code point', () => {
  proves('agent.bounds.texts')
  const names = { name: 'n'.repeat(256), hostname: 'é'.repeat(128) }
  expect(sanitized({ case: 'hello', value: names })).toMatchObject({ name: 'n'.repeat(255), hostname: 'é'.repeat(127) })
  expect(report({ message: 'x'.repeat(1_000) })).toMatchObject({ message: 'x'.repeat(1_000) })
  expect(report({ message: `${'x'.repeat(997)}😀` })).toMatchObject({ message: 'x'.repeat(997) })
  const printer = { osName: 'a', name: 'n'.repeat(256), description: 'd'.repeat(1_001), stateDetail: 's'.repeat(1_001) }
  expect(reportPrinters(printer).printers).toMatchObject([
    { name: 'n'.repeat(255), description: 'd'.repeat(1_000), stateDetail: 's'.repeat(1_000) },
  ])
})

test('formats are keywords, at most 10', () => {
  proves('agent.bounds.formats')
  const toReported = (names: string[]) =>
    reportPrinters({ osName: 'a', capabilities: { formats: { names } } }).printers[0]?.capabilities?.formats?.names
  expect(toReported(['pdf', 'raw', 'Ä', 'a\0b', '', 'x'.repeat(33), 'x'.repeat(32)])).toEqual([
    'pdf',
    'raw',
    'x'.repeat(32),
  ])
  expect(toReported(Array.from({ length: 11 }, (_, n) => `format-${n}`))).toHaveLength(10)
  expect(toReported([])).toEqual([])
  expect(reportPrinters({ osName: 'a', capabilities: {} }).printers[0]?.capabilities?.formats).toBeUndefined()
})

test('the way in which an agent draws PDFs is within the limits of agent.json', () => {
  proves('agent.bounds.raster')
  const toReported = (rawLanguage: string, dpi: number, width: number) => {
    const raster = { rawLanguage, dpi, width }
    return reportPrinters({ osName: 'a', capabilities: { raster } }).printers[0]?.capabilities?.raster
  }
  expect(toReported('zpl', 203, 812)).toMatchObject({ rawLanguage: 'zpl', dpi: 203, width: 812 })
  expect(toReported('escpos', 600, 4_800)).toBeDefined()
  expect(toReported('zpl', 601, 812)).toBeUndefined()
  expect(toReported('zpl', 203, 4_801)).toBeUndefined()
  expect(toReported('<b>', 203, 812)).toBeUndefined()
  expect(toReported('star', 203, 812)).toBeUndefined()
})

test('the language of a printer is a keyword of at most 32 characters', () => {
  proves('agent.bounds.language')
  const toReported = (language: string) =>
    reportPrinters({ osName: 'a', capabilities: { language } }).printers[0]?.capabilities?.language
  expect(toReported('x'.repeat(32))).toBe('x'.repeat(32))
  expect(toReported('x'.repeat(33))).toBeUndefined()
  expect(toReported('<b>')).toBeUndefined()
})

test('control characters and line separators become spaces', () => {
  proves('agent.bounds.controls')
  expect(report({ message: 'a\0b\nc\u2028d\u2029e\x7f\x85', warnings: ['f\tg'] })).toMatchObject({
    message: 'a b c d e  ',
    warnings: ['f g'],
  })
  const capabilities = { papers: [{ name: 'A\x004' }], bins: ['a\nb'], printrate: { unit: 'p\0m' } }
  expect(reportPrinters({ osName: 'a', name: 'La\0ser', capabilities }).printers).toMatchObject([
    { name: 'La ser', capabilities: { papers: [{ name: 'A 4' }], bins: ['a b'], printrate: { unit: 'p m' } } },
  ])
})

test('reasons are at most 20 keywords, and warnings 20 sentences of 500 bytes', () => {
  proves('agent.bounds.reasons', 'agent.bounds.warnings')
  const keywords = Array.from({ length: 21 }, (_, n) => `reason-${n}`)
  const invalid = ['', 'media empty', '-x', 'é', 'x'.repeat(65), 'a\n']
  const longest = 'x'.repeat(64)
  const warnings = Array.from({ length: 21 }, () => 'w'.repeat(501))
  expect(report({ reasons: [...invalid, longest, ...keywords], warnings })).toMatchObject({
    reasons: [longest, ...keywords.slice(0, 19)],
    warnings: Array(20).fill('w'.repeat(500)),
  })
  expect(reportPrinters({ osName: 'a', stateReasons: [...invalid, ...keywords] }).printers).toMatchObject([
    { stateReasons: keywords.slice(0, 20) },
  ])
})

test('a message with a wrong job id, or an id that is too long, is refused', () => {
  proves('agent.bounds.ids')
  const refusal = (message: Message) => sanitize(message).refusal
  for (const jobId of ['', 'no id', `${JOB_ID}0`, '\0']) {
    expect(refusal({ case: 'received', value: { jobId } })).toBeDefined()
    expect(refusal({ case: 'removed', value: { jobId } })).toBeDefined()
    expect(refusal({ case: 'report', value: { jobId } })).toBeDefined()
  }
  expect(refusal({ case: 'report', value: { jobId: JOB_ID, reportId: 'r'.repeat(128) } })).toBeUndefined()
  expect(refusal({ case: 'report', value: { jobId: JOB_ID, reportId: 'r'.repeat(129) } })).toBeDefined()
  expect(refusal({ case: 'hello', value: { runId: 'r'.repeat(64) } })).toBeUndefined()
  expect(refusal({ case: 'hello', value: { runId: 'r'.repeat(65) } })).toBeDefined()
})

test('a hello has at most 20,000 held jobs', () => {
  proves('agent.bounds.held')
  const heldJobIds = Array<string>(20_000).fill(JOB_ID)
  expect(sanitize({ case: 'hello', value: { heldJobIds } }).refusal).toBeUndefined()
  expect(sanitize({ case: 'hello', value: { heldJobIds: [...heldJobIds, JOB_ID] } }).refusal).toBeDefined()
})

test('a printer without a usable name on its computer is left out', () => {
  proves('agent.bounds.osName')
  const osNames = ['o'.repeat(1_024), 'o'.repeat(1_025), 'é'.repeat(512), 'é'.repeat(513), 'a\0', 'a\nb']
  expect(reportPrinters(...osNames.map((osName) => ({ osName }))).printers.map(({ osName }) => osName)).toEqual([
    osNames[0],
    osNames[2],
  ])
})

test('a report has at most 500 printers and 256 KB', () => {
  proves('agent.bounds.printers')
  const printers = (count: number, description = '') =>
    Array.from({ length: count }, (_, n) => ({ osName: `${n}`, description }))
  expect(reportPrinters(...printers(500))).toMatchObject({ isCut: false, printers: { length: 500 } })
  expect(reportPrinters(...printers(501))).toMatchObject({ isCut: true, printers: { length: 500 } })
  // 1,000 bytes of description, 3 of name, 2 of their lengths and 3 of tags.
  const fitting = Math.floor((256 * 1024) / 1_008)
  expect(
    reportPrinters(...printers(400, 'd'.repeat(1_000)).map((one, n) => ({ ...one, osName: `${n + 100}` }))),
  ).toMatchObject({
    isCut: true,
    printers: { length: fitting },
  })
})

test('capabilities have at most 64 KB as JSON; longer lists are cut', () => {
  proves('agent.bounds.capabilities')
  const json = (count: number) => ({ bins: Array<string>(count).fill('b'.repeat(253)) })
  // Each bin has 253 bytes, two quotes and a comma; the rest is `{"bins":[]}` without the last comma.
  const fitting = Math.floor((64 * 1024 - 10) / 256)
  const cut = (count: number) => {
    const { isCut, printers } = reportPrinters({ osName: 'a', capabilities: json(count) })
    return { isCut, bins: printers[0]?.capabilities?.bins.length }
  }
  expect(cut(fitting)).toEqual({ isCut: false, bins: fitting })
  expect(cut(fitting + 1)).toEqual({ isCut: true, bins: Math.floor((fitting + 1) / 2) })
})

test('any message is small and without control characters afterwards, as bytes and as JSON', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 3_000 }), fc.constant('"'.repeat(5_000)))
  const texts = fc.array(text, { maxLength: 60 })
  const capabilities = fc.record({
    papers: fc.array(fc.record({ name: text })),
    bins: texts,
    dpis: texts,
    medias: texts,
  })
  const printer = fc.record({
    osName: text,
    name: text,
    description: text,
    stateDetail: text,
    stateReasons: texts,
    capabilities,
  })
  const message = fc.oneof(
    fc.record({
      case: fc.constant('report' as const),
      value: fc.record({ message: text, reasons: texts, warnings: texts }),
    }),
    fc.record({
      case: fc.constant('printers' as const),
      value: fc.record({ printers: fc.array(printer, { maxLength: 8 }) }),
    }),
  )
  fc.assert(
    fc.property(message, ({ case: kind, value }) => {
      const { request } = sanitize({ case: kind, value: { jobId: JOB_ID, ...value } } as Message)
      const json = toJson(ConnectRequestSchema, request)
      expect(JSON.stringify(json)).not.toMatch(/\\u00|\\[bfnrt]|[\u2028\u2029]/)
      if (request.message.case === 'report') {
        expect(toBinary(ReportSchema, request.message.value).length).toBeLessThan(16 * 1024)
        expect(Buffer.byteLength(JSON.stringify(json))).toBeLessThan(32 * 1024)
      } else if (request.message.case === 'printers')
        for (const { capabilities: found } of request.message.value.printers)
          if (found)
            expect(Buffer.byteLength(JSON.stringify(toJson(PrinterCapabilitiesSchema, found)))).toBeLessThanOrEqual(
              64 * 1024,
            )
    }),
    { numRuns: 60 },
  )
})

test('a search finds at most 100 printers, with an address of 1024 bytes that a printer can have', () => {
  proves('agent.bounds.found')
  const find = (...uris: string[]) => {
    const printers = uris.map((uri) => ({ uri, name: 'n'.repeat(256), model: 'a\0' }))
    const value = { commandId: JOB_ID, result: { case: 'findPrinters' as const, value: { printers } } }
    const { request } = sanitize({ case: 'commandResult', value })
    const { result } = request.message.value as typeof value
    return result.value.printers
  }
  const longest = `socket://${'x'.repeat(1_015)}`
  expect(find(longest, `${longest}x`, 'http://a/', 'ipp://a\nb', 'ipps://a').map(({ uri }) => uri)).toEqual([
    longest,
    'ipps://a',
  ])
  expect(find('ipp://a')).toMatchObject([{ name: 'n'.repeat(255), model: 'a ' }])
  expect(find(...Array.from({ length: 101 }, () => 'ipp://a'))).toHaveLength(100)
  expect(sanitize({ case: 'commandResult', value: { commandId: 'no id' } }).refusal).toBeDefined()
})

/** @returns the result of a command as the service uses it. */
function sanitizeResult(result: object) {
  const { request } = sanitize({ case: 'commandResult', value: { commandId: JOB_ID, result: result as never } })
  return (request.message.value as CommandResult).result.value as unknown as Record<string, unknown>
}

test('an answer of a printer, and of a search, has a language within the limits of agent.json, or none', () => {
  proves('agent.bounds.raster')
  const toAnswer = (raster: object) => sanitizeResult({ case: 'askPrinter', value: { raster } }).raster
  expect(toAnswer({ rawLanguage: 'zpl' })).toMatchObject({ rawLanguage: 'zpl' })
  expect(toAnswer({ rawLanguage: 'escpos', dpi: 601 })).toBeUndefined()
  expect(toAnswer({ rawLanguage: '<b>' })).toBeUndefined()
  const printers = [{ uri: 'socket://a', raster: { rawLanguage: '<b>' } }]
  expect(sanitizeResult({ case: 'findPrinters', value: { printers } }).printers).not.toMatchObject([{ raster: {} }])
})

test('a list of added printers names at most 500 printers to ask and 500 queues, with valid names and addresses', () => {
  proves('agent.bounds.names')
  const list = (askable: string[], queues: object[]) =>
    sanitizeResult({ case: 'listAddedPrinters', value: { askable, queues } }) as Record<string, unknown[]>
  const many = Array.from({ length: 501 }, () => 'a')
  const long = list(
    many,
    many.map((osName) => ({ osName, uri: '' })),
  )
  expect([long.askable?.length, long.queues?.length]).toEqual([500, 500])
  const queues = ['socket://a', 'http://a', ''].map((uri) => ({ osName: 'a', uri }))
  expect(list(['a\nb', 'a'], [...queues, { osName: 'a\0', uri: '' }])).toMatchObject({
    askable: ['a'],
    queues: [queues[0], queues[2]],
  })
})
