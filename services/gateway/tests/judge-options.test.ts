import { PRINT_OPTIONS } from '@platen/resources/print-options.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeOptions, type PrinterFacts } from '../options/judge-options.ts'

const A4 = { width: 2100, height: 2970 }

function printer(changes: Partial<PrinterFacts> = {}): PrinterFacts {
  return {
    defaultOptions: {},
    customPapers: [{ name: 'Ticket', width: 800, height: 1200 }],
    capabilities: {
      papers: [{ name: 'A4', size: A4 }] as PrinterFacts['capabilities']['papers'],
      bins: ['tray-1'],
      dpis: ['300x300', '600x300'],
      medias: ['labels'],
      duplex: true,
      color: true,
      collate: true,
      copies: 5,
      nup: [1, 2],
    },
    os: 'linux',
    ...changes,
  }
}

const PLAIN = printer({
  capabilities: {
    papers: [],
    bins: [],
    dpis: [],
    medias: [],
    duplex: false,
    color: false,
    collate: false,
    copies: 0,
    nup: [],
  },
})

describe('what the printer offers is honoured', () => {
  test.each([
    [{ bin: 'tray-1' }],
    [{ media: 'labels' }],
    [{ dpi: '300x300' }],
    [{ dpi: '600x300' }],
    [{ paper: 'A4' }],
    [{ copies: 5 }],
    [{ nup: 2 }],
    [{ duplex: 'long-edge' }],
    [{ duplex: 'short-edge' }],
    [{ color: true }],
    [{ collate: true }],
    [{ pages: '1-3', rotate: 180, fit_to_page: false }],
  ])('%j', (asked) => {
    const judged = judgeOptions(asked, printer(), false)
    expect(judged).toEqual({ options: asked, effectiveOptions: asked, warning: undefined })
  })

  test.each([[{ copies: 1 }], [{ duplex: 'one-sided' }], [{ color: false }], [{ collate: false }], [{ rotate: 90 }]])(
    '%j, whatever the driver reports',
    (asked) => {
      expect(judgeOptions(asked, PLAIN, false)).toMatchObject({ effectiveOptions: asked, warning: undefined })
    },
  )
})

describe('what it does not offer is dropped with a warning', () => {
  test.each([
    [{ bin: 'tray-2' }, 'bin `tray-2`'],
    [{ bin: 'TRAY-1' }, 'bin `TRAY-1`'],
    [{ media: 'Labels' }, 'media `Labels`'],
    [{ dpi: '1200' }, 'dpi `1200`'],
    [{ dpi: '600' }, 'dpi `600`'],
    [{ paper: 'a4' }, 'paper `a4`'],
    [{ copies: 6 }, 'copies 6'],
    [{ nup: 4 }, 'nup 4'],
  ])('%j', (asked, named) => {
    const judged = judgeOptions({ ...asked, rotate: 90 }, printer(), false)
    expect(judged.effectiveOptions).toEqual({ rotate: 90 })
    expect(judged.options).toEqual({ ...asked, rotate: 90 })
    expect(judged.warning).toBe(`Ignored options: ${named} (not offered by this printer).`)
  })

  test.each([[{ duplex: 'long-edge' }], [{ color: true }], [{ collate: true }]])('%j of a plain printer', (asked) => {
    const judged = judgeOptions(asked, PLAIN, false)
    expect(judged.effectiveOptions).toEqual({})
    expect(judged.warning).toContain(Object.keys(asked)[0])
  })

  test('all of them are named in one sentence', () => {
    const { warning } = judgeOptions({ bin: 'x', nup: 9, color: true }, PLAIN, false)
    expect(warning).toBe(
      'Ignored options: bin `x` (not offered by this printer); nup 9 (not offered by this printer); color true (not offered by this printer).',
    )
  })

  test('a long text is cut', () => {
    expect(judgeOptions({ bin: 'x'.repeat(1000) }, printer(), false).warning?.length).toBeLessThan(150)
  })
})

test('`300` stands for `300x300`, and the agent is told the form of the printer', () => {
  const judged = judgeOptions({ dpi: '300' }, printer(), false)
  expect(judged).toEqual({ options: { dpi: '300' }, effectiveOptions: { dpi: '300x300' }, warning: undefined })
})

test('a custom paper is honoured, and its size goes along', () => {
  expect(judgeOptions({ paper: 'Ticket' }, printer(), false)).toEqual({
    options: { paper: 'Ticket' },
    effectiveOptions: { paper: { name: 'Ticket', width: 800, height: 1200 } },
    warning: undefined,
  })
})

test('a custom paper wins over a paper of the driver of the same name', () => {
  const customPapers = [{ name: 'A4', width: 2000, height: 3000 }]
  const { effectiveOptions } = judgeOptions({ paper: 'A4' }, printer({ customPapers }), false)
  expect(effectiveOptions).toEqual({ paper: { name: 'A4', width: 2000, height: 3000 } })
})

describe('on Windows', () => {
  const windows = printer({ os: 'windows' })

  test.each([[{ nup: 2 }], [{ dpi: '300x300' }], [{ media: 'labels' }], [{ collate: true }], [{ rotate: 180 }]])(
    '%j is ignored with a warning',
    (asked) => {
      const judged = judgeOptions(asked, windows, false)
      expect(judged.effectiveOptions).toEqual({})
      expect(judged.warning).toMatch(
        /^Ignored options: (nup|dpi|media|collate|rotate) .* \(not available on Windows\)\.$/,
      )
      expect(judgeOptions(asked, printer({ os: 'macos' }), false).warning).toBeUndefined()
    },
  )

  test.each([
    [{ pages: '1-2' }],
    [{ copies: 2 }],
    [{ fit_to_page: true }],
    [{ rotate: 90 }],
    [{ rotate: 270 }],
    [{ color: true }],
    [{ duplex: 'long-edge' }],
    [{ paper: 'A4' }],
    [{ bin: 'tray-1' }],
  ])('%j is honoured', (asked) => {
    expect(judgeOptions(asked, windows, false)).toEqual({
      options: asked,
      effectiveOptions: asked,
      warning: undefined,
    })
  })
})

test('an omitted option is filled from the defaults, and one that was asked for wins over them', () => {
  const withDefaults = printer({ defaultOptions: { color: true, copies: 2, bin: 'tray-1' } })
  const options = { color: false, copies: 2, bin: 'tray-1' }
  expect(judgeOptions({ color: false }, withDefaults, false)).toMatchObject({ options, effectiveOptions: options })
})

test("`null` skips the default and leaves the device's own", () => {
  const withDefaults = printer({ defaultOptions: { color: true, duplex: 'long-edge', nup: null } })
  expect(judgeOptions({ color: null }, withDefaults, false)).toEqual({
    options: { color: null, duplex: 'long-edge', nup: null },
    effectiveOptions: { duplex: 'long-edge' },
    warning: undefined,
  })
})

test('a default that the printer no longer offers is dropped with a warning, too', () => {
  const { effectiveOptions, warning } = judgeOptions({}, printer({ defaultOptions: { bin: 'tray-9' } }), false)
  expect([effectiveOptions, warning]).toEqual([{}, 'Ignored options: bin `tray-9` (not offered by this printer).'])
})

test('raw jobs ignore options, without a warning', () => {
  expect(judgeOptions({ bin: 'tray-9', copies: 2 }, PLAIN, true)).toEqual({
    options: { bin: 'tray-9', copies: 2 },
    effectiveOptions: {},
    warning: undefined,
  })
})

const options = fc.record(
  {
    bin: fc.constantFrom('tray-1', 'tray-2', null),
    copies: fc.constantFrom(1, 5, 6, 1e9, null),
    duplex: fc.constantFrom('long-edge', 'short-edge', 'one-sided', null),
    paper: fc.constantFrom('A4', 'Ticket', 'Letter', '__proto__', null),
    pages: fc.constantFrom('1', '-', '2-', null),
    rotate: fc.constantFrom(0, 90, 180, 270, null),
    fit_to_page: fc.constantFrom(true, false, null),
    color: fc.constantFrom(true, false, null),
    dpi: fc.constantFrom('300', '300x300', '600', '1200x1200', null),
    media: fc.constantFrom('labels', 'glossy', null),
    collate: fc.constantFrom(true, false, null),
    nup: fc.constantFrom(1, 2, 4, null),
  },
  { requiredKeys: [], noNullPrototype: true },
)
const anyPrinter = fc
  .record({ defaultOptions: options, os: fc.constantFrom('linux', 'macos', 'windows', ''), plain: fc.boolean() })
  .map(({ plain, ...facts }) => ({ ...(plain ? PLAIN : printer()), ...facts }))

test('each option that is not null is either told to the agent or named in the warning, and never both', () => {
  fc.assert(
    fc.property(options, anyPrinter, (asked, facts) => {
      expect(PRINT_OPTIONS.safeParse(asked).success).toBe(true)
      const judged = judgeOptions(asked, facts, false)
      expect(judged.options).toEqual({ ...facts.defaultOptions, ...asked })
      for (const [name, value] of Object.entries(judged.options)) {
        const isNamed = new RegExp(`(: |; )${name} `).test(judged.warning ?? '')
        const isTold = Object.hasOwn(judged.effectiveOptions, name)
        expect([name, isNamed, isTold]).toEqual(value === null ? [name, false, false] : [name, !isTold, isTold])
      }
      expect(Object.keys(judged.options)).toEqual(expect.arrayContaining(Object.keys(judged.effectiveOptions)))
    }),
  )
})

test('what is told to the agent is judged the same again: nothing of it is dropped', () => {
  fc.assert(
    fc.property(options, anyPrinter, (asked, facts) => {
      const { effectiveOptions } = judgeOptions(asked, facts, false)
      const { paper, ...rest } = effectiveOptions
      const again = judgeOptions(rest, { ...facts, defaultOptions: {} }, false)
      expect(again).toEqual({ options: rest, effectiveOptions: rest, warning: undefined })
      expect([undefined, 'A4', { name: 'Ticket', width: 800, height: 1200 }]).toContainEqual(paper)
    }),
  )
})
