import type { Printer } from '../../../api/resources.ts'
import { Fact, Facts } from '../../../ui/facts.tsx'

/** "210 × 297 mm"; sides are tenths of a millimetre. */
const formatSize = ([width = null, height = null]: (number | null)[] = []) =>
  `${formatSide(width)} × ${formatSide(height)} mm`
const formatSide = (side: number | null) => (side === null ? 'any' : String(side / 10))

const FORMATS: Record<string, string> = { pdf: 'PDF and images', raw: 'raw data' }

/** What the driver reports. */
export function Capabilities({ printer }: { printer: Printer }) {
  const { capabilities, description, osName, name } = printer
  if (!capabilities) return null
  const { papers, bins, dpis, medias, extent, printrate, duplex, color, collate, copies, nup, formats } = capabilities
  const list = (values: (string | number)[]) => (values.length > 0 ? values.join(', ') : 'none reported')
  const answer = (value: boolean) => (value ? 'yes' : 'no')
  return (
    <Facts>
      <Fact name="Name">
        {name} <span className="text-muted">{osName !== name && osName}</span>
        {description && <span className="block text-muted">{description}</span>}
      </Fact>
      <Fact name="Papers">
        {Object.keys(papers).length === 0 ? (
          'none reported'
        ) : (
          <details>
            <summary>{Object.keys(papers).length} papers</summary>
            <ul>
              {Object.entries(papers).map(([paper, sides]) => (
                <li key={paper}>
                  {paper} <span className="text-muted">{formatSize(sides)}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
        {extent && (
          <span className="block text-muted">
            custom from {formatSize(extent[0])} to {formatSize(extent[1])}
          </span>
        )}
      </Fact>
      {formats && (
        <Fact name="Documents">{formats.map((format) => FORMATS[format] ?? format).join(', ') || 'none'}</Fact>
      )}
      <Fact name="Trays">{list(bins)}</Fact>
      <Fact name="Kinds of paper">{list(medias)}</Fact>
      <Fact name="Resolutions">{list(dpis)}</Fact>
      <Fact name="Both sides">{answer(duplex)}</Fact>
      <Fact name="Color">{answer(color)}</Fact>
      <Fact name="Sorts copies">{answer(collate)}</Fact>
      <Fact name="Copies">up to {copies}</Fact>
      <Fact name="Pages per side">{list(nup)}</Fact>
      {printrate && (
        <Fact name="Speed">
          {printrate.rate} {printrate.unit}
        </Fact>
      )}
    </Facts>
  )
}
