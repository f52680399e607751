/** `npm run coverage:contract`: how much of the contract is proven, by area; with `--gaps` also what is missing. */
import { parseArgs } from 'node:util'
import { AREAS } from './areas.ts'
import type { Entry } from './entry.ts'

const { values } = parseArgs({ options: { gaps: { type: 'boolean', default: false } } })

function row(area: string, entries: Entry[]): string {
  const gaps = entries.filter(({ gap }) => gap !== undefined).length
  const share = `${Math.floor((100 * (entries.length - gaps)) / entries.length)} %`
  return line(area, entries.length - gaps, gaps, entries.length, share)
}

function line(area: string, ...cells: (number | string)[]): string {
  return area.padEnd(16) + cells.map((cell) => String(cell).padStart(8)).join('')
}

console.log(line('area', 'proven', 'gap', 'total', ''))
for (const [area, entries] of Object.entries(AREAS)) console.log(row(area, entries))
console.log(row('all', Object.values(AREAS).flat()))

if (values.gaps)
  for (const [area, entries] of Object.entries(AREAS)) {
    console.log(`\n${area}`)
    for (const { id, rule, gap } of entries) if (gap !== undefined) console.log(`  ${id}: ${rule} (${gap})`)
  }
