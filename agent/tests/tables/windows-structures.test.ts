/**
 * Structures of Windows and states of jobs. Sizes and offsets are those of the Windows SDK. koffi uses one layout on
 * all 64-bit computers.
 */
import koffi from 'koffi'
import { expect, test } from 'vitest'
import { JOB_STATUS, toJobState } from '../../spoolers/windows/job-status.ts'
import { defineStructures } from '../../spoolers/windows/structures.ts'

const types = defineStructures(koffi)

test.each([
  ['PRINTER_INFO_2W', 136, { pPrinterName: 8, Attributes: 104, Status: 124 }],
  ['JOB_INFO_2W', 160, { pDocument: 32, pStatus: 88, Status: 104, Size: 128, Submitted: 132 }],
  ['DOC_INFO_1W', 24, {}],
  ['DOCINFOW', 40, {}],
] as const)('%s has %d bytes and the members %j', (name, bytes, members) => {
  expect(koffi.sizeof(types[name])).toBe(bytes)
  for (const [member, offset] of Object.entries(members))
    expect(koffi.offsetof(types[name], member), member).toBe(offset)
})

/** A buffer in the format of Windows: the structures, then the texts that they reference. */
function createBuffer(bytes: number, texts: [offset: number, text: string][]) {
  const buffer = Buffer.alloc(bytes + texts.reduce((sum, [, text]) => sum + (text.length + 1) * 2, 0))
  const address = BigInt(koffi.address(buffer))
  let end = bytes
  for (const [offset, text] of texts) {
    buffer.writeBigUInt64LE(address + BigInt(end), offset)
    end += buffer.write(`${text}\0`, end, 'utf16le')
  }
  return buffer
}

test('printers are read from a buffer that contains pointers to itself', () => {
  const size = koffi.sizeof(types.PRINTER_INFO_2W)
  const buffer = createBuffer(size * 2, [
    [8, 'Büro 😀'],
    [24, 'USB001'],
    [32, 'Acme'],
    [size + 8, '\\\\server\\Labels'],
    [size + 32, 'Zebra'],
  ])
  buffer.writeUInt32LE(0x442, 104)
  buffer.writeUInt32LE(0x80, size + 124)
  expect(types.readPrinters(buffer, 2)).toEqual([
    { name: 'Büro 😀', port: 'USB001', driver: 'Acme', attributes: 0x442, status: 0 },
    { name: '\\\\server\\Labels', port: '', driver: 'Zebra', attributes: 0, status: 0x80 },
  ])
  expect(types.readPrinters(buffer, 0)).toEqual([])
})

test('jobs are read with their status, size and time of submission', () => {
  const [id, document, status, statusText, sizeBytes] = [4_294_967_295, 'Label [token]', 0x2080, 'Load A4', 25_000_000]
  const buffer = createBuffer(koffi.sizeof(types.JOB_INFO_2W), [
    [32, document],
    [88, statusText],
  ])
  buffer.writeUInt32LE(id, 0)
  buffer.writeUInt32LE(status, 104)
  buffer.writeUInt32LE(sizeBytes, 128)
  for (const [index, part] of [2026, 11, 6, 21, 22, 5, 7, 125].entries()) buffer.writeUInt16LE(part, 132 + index * 2)
  const submittedAtMs = Date.UTC(2026, 10, 21, 22, 5, 7, 125)
  expect(types.readJobs(buffer, 1)).toEqual([{ id, document, status, statusText, sizeBytes, submittedAtMs }])
})

const { paused, error, deleting, spooling, printing, offline, paperOut, printed, deleted } = JOB_STATUS
const { blocked, userIntervention, restart, complete, retained, renderingLocally } = JOB_STATUS

const held = { is: 'held', reasons: ['job-hold-until-specified'] }
const completed = { is: 'completed', reasons: ['job-completed-successfully'] }
const canceled = { is: 'aborted', reasons: ['job-canceled-by-user'] }
const createProcessing = (...reasons: string[]) => ({ is: 'processing', reasons: ['job-printing', ...reasons] })

test.each<[string, object, number[]]>([
  ['that is new, spooled or rendered', { is: 'pending', reasons: [] }, [0, spooling, renderingLocally]],
  ['that is paused before it printed', held, [paused, paused | spooling, paused | retained]],
  ['that prints or restarts', createProcessing(), [printing, printing | spooling, printing | paused, restart]],
  ['without paper', createProcessing('media-empty'), [printing | paperOut]],
  ['whose printer is off', createProcessing('other', 'offline'), [printing | offline | error]],
  ['that needs a user', createProcessing('other'), [printing | userIntervention]],
  ['that waits with an error', { is: 'pending', reasons: ['other'] }, [error, blocked]],
  ['that is printed or sent', completed, [printed, complete, printed | retained, printed | error, printed | deleting]],
  ['that was deleted', canceled, [deleting, deleting | printing, deleted | paused]],
])('the state of a job %s is %j', (_, state, statuses) => {
  for (const status of statuses) expect(toJobState({ status, statusText: '' }), `${status}`).toMatchObject(state)
})

test.each([
  [printing | paperOut | offline, '', 'The printer is offline. The printer is out of paper.'],
  [printing | paperOut, ' Load A4 in tray 2 ', 'Load A4 in tray 2.'],
  [printing, '', undefined],
])('the message of a job with the status %d and the text %j of the driver is %j', (status, statusText, message) => {
  expect(toJobState({ status, statusText }).message).toBe(message)
})
