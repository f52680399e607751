import { describe, expect, test } from 'vitest'
import { parsePrintJob } from '../upload/print-job-request.ts'

const PRINTER_ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const request = { printerId: PRINTER_ID, title: 'Invoice', contentType: 'pdf_base64', content: 'x' }
const parse = (changes: Record<string, unknown>) => parsePrintJob({ ...request, ...changes })
const refusal = (what: RegExp) =>
  expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(what) })

test('what may be left out has its default', () => {
  expect(parse({})).toMatchObject({ source: 'api', qty: 1, expireAfter: 86_400, options: {} })
})

test('a printer id may be in upper case', () => {
  expect(parse({ printerId: PRINTER_ID.toUpperCase() }).printerId).toBe(PRINTER_ID)
})

describe('limits', () => {
  test.each([
    ['title', 'a'],
    ['title', 'a'.repeat(255)],
    ['title', '🖨'.repeat(255)],
    ['source', 'a'],
    ['source', 'a'.repeat(255)],
    ['qty', 1],
    ['qty', 100],
    ['expireAfter', 60],
    ['expireAfter', 604_800],
  ])('%s may be %s', (field, value) => {
    expect(parse({ [field]: value })).toMatchObject({ [field]: value })
  })

  test.each([
    ['title', '', /`title`: must have 1 to 255 characters/],
    ['title', 'a'.repeat(256), /`title`: must have 1 to 255 characters/],
    ['title', '🖨'.repeat(256), /`title`: must have 1 to 255 characters/],
    ['source', '', /`source`: must have/],
    ['source', 'a'.repeat(256), /`source`: must have/],
    ['qty', 0, /`qty`: must be an integer from 1 to 100/],
    ['qty', 101, /`qty`: must be/],
    ['expireAfter', 59, /`expireAfter`: must be an integer from 60 to 604800/],
    ['expireAfter', 604_801, /`expireAfter`: must be/],
  ])('%s must not be %s', (field, value, message) => {
    expect(() => parse({ [field]: value })).toThrow(refusal(message))
  })
})

describe('a wrong form is refused by name', () => {
  test.each([
    ['printerId', undefined, /`printerId`: must be a UUID/],
    ['printerId', 'laser', /`printerId`/],
    ['printerId', null, /`printerId`/],
    ['title', undefined, /`title`: must be a string/],
    ['title', 7, /`title`/],
    ['title', 'a\0b', /`title`: must not contain NUL/],
    ['title', 'a\ud800b', /`title`: must not contain NUL or lone surrogates/],
    ['contentType', undefined, /`contentType`: must be `pdf_base64`, `raw_base64`, `pdf_uri` or `raw_uri`/],
    ['contentType', 'docx', /`contentType`: must be `pdf_base64`, `raw_base64`, `pdf_uri` or `raw_uri`/],
    ['reprintOf', PRINTER_ID, /`reprintOf`: must not stand beside `contentType` and `content`/],
    [
      'authentication',
      { type: 'BasicAuth', credentials: { user: 'u', pass: 'p' } },
      /`authentication`: is for `pdf_uri`/,
    ],
    ['content', undefined, /`content`: must be base64 text/],
    ['content', '', /`content`: must not be empty/],
    ['qty', '1', /`qty`/],
    ['qty', 1.5, /`qty`/],
    ['qty', null, /`qty`/],
    ['options', [], /`options`: must be an object/],
    ['options', null, /`options`: must be an object/],
    ['colour', true, /`colour`: not known here/],
    ['options', { stapled: true }, /`options\.stapled`: not known here/],
  ])('%s: %j', (field, value, message) => {
    expect(() => parse({ [field]: value })).toThrow(refusal(message))
  })

  test('an option that is not known, also of a raw job', () => {
    const raw = { contentType: 'raw_base64', options: { stapled: true } }
    expect(() => parse(raw)).toThrow(refusal(/`options\.stapled`: not known here/))
  })

  test.each([[[]], [null], ['text'], [7]])('a body that is no object: %j', (body) => {
    expect(() => parsePrintJob(body)).toThrow(refusal(/must be a JSON object/))
  })
})

describe('options', () => {
  test.each([
    { bin: 'tray-1', paper: 'A4', media: 'Labels', dpi: '300' },
    { copies: 1 },
    { copies: 1_000_000 },
    { duplex: 'long-edge' },
    { duplex: 'short-edge' },
    { duplex: 'one-sided' },
    { rotate: 0 },
    { rotate: 90 },
    { rotate: 180 },
    { rotate: 270 },
    { fit_to_page: false, color: true, collate: true },
    { nup: 16 },
    { bin: null, copies: null, duplex: null, paper: null, pages: null, rotate: null },
    { fit_to_page: null, color: null, dpi: null, media: null, collate: null, nup: null },
    ...['1', '1,3', '1-3', '5-', '-5', '-', '3-3', '1-2,5,7-'].map((pages) => ({ pages })),
  ])('%j is well-formed', (options) => {
    expect(parse({ options }).options).toEqual(options)
  })

  test.each([
    { bin: 1 },
    { paper: 'a\0' },
    { paper: 4 },
    { media: true },
    { copies: 0 },
    { copies: '1' },
    { copies: 1.5 },
    { duplex: 'both' },
    { duplex: true },
    { rotate: 45 },
    { rotate: '90' },
    { fit_to_page: 'true' },
    { color: 1 },
    { collate: 'yes' },
    { nup: 0 },
    { dpi: 300 },
    ...['', 'a-b', '5-3', '0', '0-2', '1-0', '1,', ',', '1--2', '1 - 2', '01', '1-2-3', '-1-'].map((pages) => ({
      pages,
    })),
  ])('%j is not', (options) => {
    const [name] = Object.keys(options)
    expect(() => parse({ options })).toThrow(refusal(new RegExp(`\`options.${name}\`: `)))
  })
})
