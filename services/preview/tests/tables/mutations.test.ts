/** Damaged and hostile documents: each has a picture, within two seconds and bounds of size. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawPreview } from '../../preview.ts'
import { toSvg } from '../../svg.ts'

const RUNS = Number(process.env.PLATEN_FUZZ_RUNS || 200)
const SEED = Number(process.env.PLATEN_FUZZ_SEED || fc.sample(fc.nat(), 1)[0])
/** The time of one processor, so that a busy machine does not decide. */
const LIMIT_MS = 2_000
const SVG_MAX_BYTES = 64_000_000

const folder = new URL('../documents/', import.meta.url)
const documents = readdirSync(folder).map((name) => readFileSync(new URL(name, folder)))

const HOSTILE = [
  '^GFA,99999999,99999999,1,:Z64:eJz:0000',
  '^FB9999,9999,0,J',
  '^A0N,32000,32000',
  '^BY100,3,32000',
  '^XFR:SHELF.ZPL',
  '^DFR:SHELF^FS',
  '^PW32000^LL32000',
  '^GC9999,1',
  '^B7N,1,8,30,90,N',
  '^BXN,99,200,144,144',
  '\x1d(k\x04\x001P0\x30',
  '\x1dv0\x00\xff\xff\xff\xff',
  '\x1b*\x21\xff\xff',
  '\x1d!\xff',
]

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  remove: fc.nat(40),
  insert: fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ maxLength: 8 }),
    fc.constantFrom('9'.repeat(9), '^', '~', '\x1b', '\x1d', '^XA', '^XZ', '^FS', ','),
  ),
  repeat: fc.constantFrom(1, 1, 1, 50, 2_000),
})

console.info(`PLATEN_FUZZ_SEED=${SEED}`)

test('a damaged document has a picture within 2 s, or its picture ends with a warning', {
  timeout: 60_000 + RUNS * 200,
}, () => {
  let slowestMs = 0
  const property = fc.property(
    fc.nat(documents.length - 1),
    fc.array(mutation, { minLength: 1, maxLength: 6 }),
    (index, mutations) => {
      let document = documents[index]?.toString('latin1') ?? ''
      for (const { at, remove, insert, repeat } of mutations) {
        const start = Math.floor(at * document.length)
        document = (document.slice(0, start) + insert.repeat(repeat) + document.slice(start + remove)).slice(
          0,
          1_000_000,
        )
      }
      const before = process.cpuUsage()
      const { pages } = drawPreview(Buffer.from(document, 'latin1'))
      const size = pages.reduce((sum, page) => sum + toSvg(page).svg.length, 0)
      slowestMs = Math.max(slowestMs, process.cpuUsage(before).user / 1_000)
      expect(pages.length).toBeGreaterThan(0)
      expect(size).toBeLessThan(SVG_MAX_BYTES)
      expect(slowestMs).toBeLessThan(LIMIT_MS)
    },
  )
  fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true })
  console.info(`${RUNS} damaged documents, the slowest took ${Math.round(slowestMs)} ms of CPU`)
})
