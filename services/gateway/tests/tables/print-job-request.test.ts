import { expect, test } from 'vitest'
import { parsePrintJob } from '../../print-jobs/upload/print-job-request.ts'
import { emoji, schemaCases } from './schema-cases.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const CREDENTIALS = { user: 'u', pass: 'p' }
const BASIC = { type: 'BasicAuth', credentials: CREDENTIALS }
const base = { printerId: ID, title: 'Invoice', contentType: 'pdf_base64', content: 'x' }
const byUrl = (authentication: unknown) => ({ authentication, contentType: 'pdf_uri' })
const credentials = (changes: object) => byUrl({ ...BASIC, credentials: { ...CREDENTIALS, ...changes } })
const withoutContent = { contentType: undefined, content: undefined }

schemaCases('a print job', parsePrintJob, {
  base,
  limits: {
    'create.title': [(length) => ({ title: 'a'.repeat(length) }), 1, 255],
    'create.printer': [(length) => ({ printer: 'a'.repeat(length), printerId: undefined }), 1, 255],
    'create.source': [(length) => ({ source: 'a'.repeat(length) }), 1, 255],
    'create.qty': [(qty) => ({ qty }), 1, 100],
    'create.expireAfter': [(expireAfter) => ({ expireAfter }), 60, 604_800],
    'create.authentication.user': [(length) => credentials({ user: 'u'.repeat(length) }), 0, 1024, [1024, 1025]],
    'create.authentication.pass': [(length) => credentials({ pass: 'p'.repeat(length) }), 0, 1024, [1024, 1025]],
  },
  reads: {
    'how long a job may wait [create.expireAfter]': [{ expireAfter: 90 }, { expireAfter: 90 }],
    'the defaults of what is left out [create.qty.default options.optional]': [
      {},
      { source: 'api', qty: 1, options: {} },
    ],
    'a printer by number [create.printer]': [
      { printerId: undefined, printer: 12 },
      { printerId: undefined, printer: '12' },
    ],
    'a printer id in upper case': [{ printerId: ID.toUpperCase() }, { printerId: ID }],
    'null in each field that may be left out [convention.null-is-absent]': [
      { reprintOf: null, authentication: null, source: null, qty: null, expireAfter: null, options: null },
      { source: 'api', qty: 1, expireAfter: undefined, options: {}, document: { contentType: 'pdf_base64' } },
    ],
    'a reprint with null in the fields of a document': [
      { contentType: null, content: null, reprintOf: ID },
      { document: { reprintOf: ID } },
    ],
    'a reprint': [{ ...withoutContent, reprintOf: ID }, { document: { reprintOf: ID } }],
    'credentials for a URL': [byUrl(BASIC), { document: { contentType: 'pdf_uri', authentication: BASIC } }],
  },
  takes: {
    'a title of 255 characters of 2 units each [convention.text.code-points]': { title: emoji(255) },
  },
  wrong: { title: [null], content: [''] },
  refuses: {
    'a title of 256 characters of 2 units each [convention.text.code-points]': [{ title: emoji(256) }, /`title`/],
    'qty as a text [create.qty.type]': [{ qty: '1' }, /`qty`/],
    'qty 1.5 [create.qty.type]': [{ qty: 1.5 }, /`qty`/],
    'no printer [create.printerId.missing]': [
      { printerId: undefined },
      /Missing: `printerId`, `printer` or `destination`/,
    ],
    'a printer by id and by name [create.printer.both]': [
      { printer: 'Laser' },
      /`printer`: cannot be combined with `pr/,
    ],
    'a printer that is no UUID [convention.body-id.malformed]': [{ printerId: 'laser' }, /`printerId`/],
    'no title [create.title.missing]': [{ title: undefined }, /Missing: `title`/],
    'a title that is no text [create.title.type]': [{ title: 7 }, /`title`/],
    'a title with NUL [convention.text.nul]': [{ title: 'a\0b' }, /`title`: must not contain NUL/],
    'a title with half a surrogate pair [convention.text.lone-surrogate]': [{ title: 'a\ud800b' }, /`title`: .*lone/],
    'no content type [create.contentType.missing]': [{ contentType: undefined }, /`contentType`: must be `pdf_base64`/],
    'another content type [create.contentType.unknown]': [
      { contentType: 'docx' },
      /`contentType`: .*, `raw_base64`, `pdf_uri`, `image_uri` or `raw_uri`/,
    ],
    'content that is no text [create.content.type]': [{ content: 7 }, /`content`: must be base64 text/],
    'no content [create.content.missing]': [{ content: undefined }, /`content`: must be base64 text/],
    'a reprint with content [create.reprintOf.both]': [{ reprintOf: ID }, /`reprintOf`: cannot be combined/],
    'neither content nor a reprint [create.reprintOf.neither]': [withoutContent, /either .*or `reprintOf`/],
    'null instead of both': [
      { contentType: null, content: null, reprintOf: null },
      /^Missing: the document\. Send either [^;]*`reprintOf`\.$/,
    ],
    'credentials of an upload': [
      { authentication: BASIC },
      /`authentication`: is only for a `contentType` that ends with `_uri`/,
    ],
    'another type of authentication [create.authentication.type]': [
      byUrl({ ...BASIC, type: 'Bearer' }),
      /`authentication.type`: must be `BasicAuth`/,
    ],
    'credentials without a user [create.authentication.user]': [
      credentials({ user: undefined }),
      /`authentication.credentials.user`/,
    ],
    'credentials without a password [create.authentication.pass]': [
      credentials({ pass: undefined }),
      /`authentication.credentials.pass`/,
    ],
    'a user with a colon': [credentials({ user: 'u:' }), /user`: .*colon/],
    'an unknown field of authentication': [byUrl({ ...BASIC, realm: 'x' }), /Unknown field `authentication.realm`/],
    'options that are no object [create.options.type]': [{ options: [] }, /`options`: must be an object/],
    'an unknown field [convention.unknown-field convention.unknown-field.named]': [
      { colour: true },
      /Unknown field `colour`/,
    ],
    'an unknown option [options.unknown options.unknown.named]': [
      { options: { stapled: 1 } },
      /Unknown field `options\.stapled`/,
    ],
    'an unknown option of a raw job [options.raw.unknown]': [
      { contentType: 'raw_base64', options: { stapled: true } },
      /Unknown field `options\.stapled`/,
    ],
    'an array [error.400.no-object]': [[], /must be a JSON object/],
    null: [null, /must be a JSON object/],
  },
})

test('one error names all missing fields, and suggests the option for a misspelled one', () => {
  const message = (body: unknown) => {
    try {
      return parsePrintJob(body)
    } catch (error) {
      return (error as Error).message
    }
  }
  expect(message({})).toBe(
    'Missing: `title`; Missing: `printerId`, `printer` or `destination`; Missing: the document. Send either `contentType` with `content`, a form with `file`, or `reprintOf`.',
  )
  expect(message({ ...base, options: { fitToPage: true } })).toBe(
    'Unknown field `options.fitToPage` (did you mean `fit_to_page`?).',
  )
  expect(message({ ...base, options: { copies: 0 } })).toBe('`options.copies`: must be an integer of at least 1.')
})

const TEXTS = ['x', ' ', '日本語 🖨', '"; DROP TABLE job; --', 'x'.repeat(5_000)]

/** Values by ids of rules: well-formed values of an option, and others. */
const OPTIONS: Record<string, [name: string, wellFormed: unknown[], malformed?: unknown[]]> = {
  'option.bin option.text.any': ['bin', TEXTS, [1, 'a\0']],
  'option.dpi option.text.any': ['dpi', ['300', ...TEXTS], [300]],
  'option.media option.text.any': ['media', TEXTS, [true]],
  'option.paper option.text.any': ['paper', ['A4', ...TEXTS], [4, 'a\0']],
  'option.copies option.copies.1 option.copies.0': ['copies', [1, 1_000_000], [0, '1', 1.5]],
  'option.nup': ['nup', [1, 16], [0, '1', 1.5]],
  'option.duplex option.duplex.unknown': ['duplex', [], ['both', true]],
  'option.duplex.long-edge': ['duplex', ['long-edge']],
  'option.duplex.short-edge': ['duplex', ['short-edge']],
  'option.duplex.one-sided': ['duplex', ['one-sided']],
  'option.rotate option.rotate.45 option.rotate.type': ['rotate', [0, 90, 180, 270], [45, '90']],
  'option.crop option.crop.malformed': [
    'crop',
    ['auto', '0,0,1,1', '999999,0,999999,999999'],
    [
      '',
      'Auto',
      '0,0,10',
      '-1,0,10,10',
      '0,0,0,10',
      '0,0,1e9,9',
      '0,0,1000000,1',
      ' 0,0,1,1',
      'NaN,0,1,1',
      [0, 0, 1, 1],
    ],
  ],
  'option.fit_to_page': ['fit_to_page', [true, false], ['true', 1]],
  'option.color': ['color', [true, false], ['true', 1]],
  'option.collate': ['collate', [true, false], ['yes', 1]],
  'option.pages option.pages.single': ['pages', ['1', '1,3'], ['', '1,', ',', '01', '1 - 2', 7]],
  'option.pages.range option.pages.backwards': ['pages', ['1-3', '3-3'], ['5-3', '1--2', '1-2-3']],
  'option.pages.from': ['pages', ['5-']],
  'option.pages.to': ['pages', ['-5'], ['-1-']],
  'option.pages.all': ['pages', ['-']],
  'option.pages.mixed': ['pages', ['1-2,5,7-']],
  'option.pages.1-based': ['pages', [], ['0', '0-2', '1-0']],
  'option.pages.malformed': ['pages', [], ['a-b']],
}

const title = (name: string, value: unknown, ids: string) => `${name} ${JSON.stringify(value).slice(0, 40)} [${ids}]`
const options = Object.entries(OPTIONS)
const names = options.map(([, [name]]) => name)

schemaCases('an option', parsePrintJob, {
  base,
  takes: {
    'null as the value of each [options.null]': { options: Object.fromEntries(names.map((name) => [name, null])) },
    ...Object.fromEntries(
      options.flatMap(([ids, [name, wellFormed]]) =>
        wellFormed.map((value) => [title(name, value, ids), { options: { [name]: value } }]),
      ),
    ),
  },
  refuses: Object.fromEntries(
    options.flatMap(([ids, [name, , malformed = []]]) =>
      malformed.map((value) => [
        title(name, value, ids),
        [{ options: { [name]: value } }, new RegExp(`\`options.${name}\`: `)],
      ]),
    ),
  ),
})
