import type { JsonObject, JsonValue } from '@bufbuild/protobuf'
import { isIgnoredOnWindows } from '@platen/proto/windows-options.ts'
import { parseCase, proves } from '@platen/test/harness/rules.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PRINT_OPTIONS } from '../../print-options.ts'
import { type PrinterFacts, resolveOptions } from '../../resolve-options.ts'

const CAPABILITIES = {
  papers: [{ name: 'A5' }, { name: 'A4' }],
  ...{ bins: ['tray-1'], dpis: ['300x300', '600x300'], medias: ['labels'] },
  ...{ duplex: true, color: true, collate: true, copies: 5, nup: [1, 2] },
} as PrinterFacts['capabilities']
const NONE = {
  ...{ papers: [], bins: [], dpis: [], medias: [], nup: [] },
  ...{ duplex: false, color: false, collate: false, copies: 0 },
}

function printer(changes: Partial<PrinterFacts> = {}): PrinterFacts {
  const customPapers = [{ name: 'Ticket', width: 800, height: 1200 }]
  return { defaultOptions: {}, customPapers, capabilities: CAPABILITIES, os: 'linux', ...changes }
}

const PLAIN = printer({ capabilities: NONE })
const WINDOWS = printer({ os: 'windows', capabilities: { ...CAPABILITIES, copies: 180 } })

/** Options by the title of the test. */
type Rows = Record<string, JsonObject>

const APPLIED: [name: string, PrinterFacts, JsonObject[]][] = [
  [
    'a printer that offers it',
    printer(),
    [
      ...[{ bin: 'tray-1' }, { media: 'labels' }, { dpi: '300x300' }, { dpi: '600x300' }, { paper: 'A4' }, { nup: 2 }],
      ...[{ duplex: 'long-edge' }, { duplex: 'short-edge' }, { color: true }, { collate: true }],
      { pages: '1-3', crop: '0,0,1050,1480', rotate: 180, fit_to_page: false },
    ],
  ],
  ['a printer with this largest number', printer(), [{ copies: 5 }]],
  [
    'a printer that offers nothing',
    PLAIN,
    [{ copies: 1 }, { duplex: 'one-sided' }, { color: false }, { collate: false }, { rotate: 90 }, { crop: 'auto' }],
  ],
  ['a printer that offers color alone', printer({ capabilities: { ...NONE, color: true } }), [{ color: true }]],
  ['macOS', printer({ os: 'macos' }), [{ nup: 2, dpi: '300x300', media: 'labels', collate: true, rotate: 180 }]],
  [
    'Windows',
    WINDOWS,
    [
      { pages: '1-2', crop: 'auto', copies: 180, fit_to_page: true, rotate: 90, bin: 'tray-1' },
      { rotate: 270, color: true, duplex: 'long-edge', paper: 'A4' },
    ],
  ],
]

for (const [name, facts, rows] of APPLIED)
  test.each(rows)(`%j is applied by ${name}`, (requested) => {
    proves('option.copies.largest')
    expect(resolveOptions(requested, facts, false)).toEqual({
      options: requested,
      effectiveOptions: requested,
      warning: undefined,
    })
  })

describe('what the printer does not offer is dropped with a warning', () => {
  const rows: Rows = {
    'bin `tray-2` (this printer offers `tray-1`) [option.bin.offered options.value.warning]': { bin: 'tray-2' },
    'bin `TRAY-1` (this printer offers `tray-1`) [option.text.exact]': { bin: 'TRAY-1' },
    'media `Labels` (this printer offers `labels`) [option.media.offered option.text.exact]': { media: 'Labels' },
    'dpi `1200` (this printer offers `300x300`, `600x300`) [option.dpi.offered]': { dpi: '1200' },
    'dpi `600` (this printer offers `300x300`, `600x300`)': { dpi: '600' },
    'paper `a4` (this printer offers `Ticket`, `A5`, `A4`) [option.paper.offered option.text.exact]': { paper: 'a4' },
    'copies 6 (this printer offers at most 5) [option.copies.offered]': { copies: 6 },
    'nup 4 (this printer offers 1, 2) [option.nup.offered]': { nup: 4 },
  }
  for (const [name, requested] of Object.entries(rows)) {
    const [title, ids] = parseCase(name)
    test(title, () => {
      proves(...ids)
      const resolved = resolveOptions({ ...requested, rotate: 90 }, printer(), false)
      expect(resolved).toEqual({
        options: { ...requested, rotate: 90 },
        effectiveOptions: { rotate: 90 },
        warning: `Ignored options: ${title}.`,
      })
    })
  }

  test('all in one sentence', () => {
    proves('options.unsupported.dropped', 'options.unsupported.warning')
    const { effectiveOptions, warning } = resolveOptions(
      { bin: 'x', duplex: 'long-edge', color: true, collate: true },
      PLAIN,
      false,
    )
    expect(effectiveOptions).toEqual({})
    expect(warning).toBe(
      'Ignored options: bin `x` (not offered by this printer); duplex `long-edge` (not offered by this printer); color true (not offered by this printer); collate true (not offered by this printer).',
    )
  })

  test('with the first 5 of the values that the printer offers', () => {
    const bins = ['1', '2', '3', '4', '5', '6', '7']
    const { warning } = resolveOptions({ bin: 'x' }, printer({ capabilities: { ...CAPABILITIES, bins } }), false)
    expect(warning).toMatch(/\(this printer offers `1`, `2`, `3`, `4`, `5` and 2 more\)\.$/)
  })

  test('a default of the printer too', () => {
    const { effectiveOptions, warning } = resolveOptions({}, { ...PLAIN, defaultOptions: { bin: 'tray-9' } }, false)
    expect([effectiveOptions, warning]).toEqual([{}, 'Ignored options: bin `tray-9` (not offered by this printer).'])
  })
})

describe('on Windows is dropped with a warning', () => {
  const rows: Rows = {
    'nup [platform.nup.windows]': { nup: 2 },
    'dpi [platform.dpi.windows]': { dpi: '300x300' },
    'media [platform.media.windows]': { media: 'labels' },
    'collate [platform.collate.windows]': { collate: true },
    'rotate 180 [platform.rotate.windows.180]': { rotate: 180 },
  }
  for (const [name, requested] of Object.entries(rows)) {
    const [title, ids] = parseCase(name)
    test(title, () => {
      proves(...ids)
      const { effectiveOptions, warning } = resolveOptions(requested, WINDOWS, false)
      expect(effectiveOptions).toEqual({})
      expect(warning).toMatch(
        new RegExp(`^Ignored options: ${Object.keys(requested)} .* \\(not available on Windows\\)\\.$`),
      )
    })
  }
})

test('the descriptions of options say which are not on Windows', () => {
  const documented = Object.entries(PRINT_OPTIONS.shape).filter(([, schema]) =>
    /Not on Windows/.test(schema.meta()?.description ?? ''),
  )
  const ignored = Object.keys(PRINT_OPTIONS.shape).filter((name) => isIgnoredOnWindows(name))
  expect(documented.map(([name]) => name)).toEqual(ignored)
})

const TICKET = { name: 'Ticket', width: 800, height: 1200 }
const A4 = { ...TICKET, name: 'A4' }
test.each<[string, JsonObject, Partial<PrinterFacts>, JsonObject]>([
  ['the form of the printer, `300x300`, for `300`', { dpi: '300' }, {}, { dpi: '300x300' }],
  ['the size of a custom paper', { paper: 'Ticket' }, {}, { paper: TICKET }],
  ['a custom paper rather than one of the driver', { paper: 'A4' }, { customPapers: [A4] }, { paper: A4 }],
])('the agent gets %s', (_, requested, changes, effectiveOptions) => {
  proves('option.dpi.short', 'custom-paper.option', 'option.paper.custom', 'custom-paper.wins')
  expect(resolveOptions(requested, printer(changes), false)).toEqual({
    options: requested,
    effectiveOptions,
    warning: undefined,
  })
})

test('an omitted option is filled from the defaults, and a requested one has precedence', () => {
  proves('options.defaults')
  const withDefaults = printer({ defaultOptions: { color: true, duplex: 'long-edge' } })
  const options = { color: false, duplex: 'long-edge' }
  expect(resolveOptions({ color: false }, withDefaults, false)).toMatchObject({ options, effectiveOptions: options })
})

test('`null` skips the default and leaves the option unset', () => {
  proves('options.null.default')
  const withDefaults = printer({ defaultOptions: { color: true, duplex: 'long-edge', nup: null } })
  expect(resolveOptions({ color: null }, withDefaults, false)).toEqual({
    options: { color: null, duplex: 'long-edge', nup: null },
    effectiveOptions: { duplex: 'long-edge' },
    warning: undefined,
  })
})

test('raw jobs ignore options, without a warning', () => {
  proves('content.raw.options')
  const options = { bin: 'tray-9', copies: 2 }
  expect(resolveOptions(options, PLAIN, true)).toEqual({ options, effectiveOptions: {}, warning: undefined })
})

const VALUES: Record<string, [JsonValue, ...JsonValue[]]> = {
  ...{ bin: ['tray-1', 'tray-2'], paper: ['A4', 'Ticket', 'Letter', '__proto__'], media: ['labels', 'glossy'] },
  ...{ copies: [1, 5, 6, 1e9], nup: [1, 2, 4], dpi: ['300', '300x300', '600', '1200x1200'], pages: ['1', '-', '2-'] },
  ...{ duplex: ['long-edge', 'short-edge', 'one-sided'], rotate: [0, 90, 180, 270], fit_to_page: [true, false] },
  ...{ color: [true, false], collate: [true, false] },
}
const anyOf = Object.entries(VALUES).map(([name, values]) => [name, fc.constantFrom(...values, null)])
const options = fc.record(Object.fromEntries(anyOf), {
  requiredKeys: [],
  noNullPrototype: true,
}) as fc.Arbitrary<JsonObject>
const anyPrinter = fc
  .record({ defaultOptions: options, os: fc.constantFrom('linux', 'macos', 'windows', ''), plain: fc.boolean() })
  .map(({ plain, ...facts }) => ({ ...(plain ? PLAIN : printer()), ...facts }))

test('each option that is not null is either sent to the agent or named in the warning', () => {
  proves('options.value.dropped')
  fc.assert(
    fc.property(options, anyPrinter, (requested, facts) => {
      expect(PRINT_OPTIONS.safeParse(requested).success).toBe(true)
      const resolved = resolveOptions(requested, facts, false)
      expect(resolved.options).toEqual({ ...facts.defaultOptions, ...requested })
      for (const [name, value] of Object.entries(resolved.options)) {
        const isNamed = new RegExp(`(: |; )${name} `).test(resolved.warning ?? '')
        const isSent = Object.hasOwn(resolved.effectiveOptions, name)
        expect([name, isNamed, isSent]).toEqual(value === null ? [name, false, false] : [name, !isSent, isSent])
      }
      expect(Object.keys(resolved.options)).toEqual(expect.arrayContaining(Object.keys(resolved.effectiveOptions)))
    }),
  )
})
