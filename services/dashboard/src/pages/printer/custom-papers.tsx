import { PRINTER_LIMITS } from '@platen/resources/limits.ts'
import { Button } from '../../ui/button.tsx'

interface Paper {
  name: string
  /** Tenths of a millimetre. */
  width: number
  height: number
}

/** Paper sizes of the user, entered in millimetres. */
export function CustomPapers({ papers, onChange }: { papers: Paper[]; onChange(papers: Paper[]): void }) {
  const change = (index: number, changes: Partial<Paper>) =>
    onChange(papers.map((paper, each) => (each === index ? { ...paper, ...changes } : paper)))
  const side = (index: number, name: 'width' | 'height', label: string) => (
    <input
      type="number"
      className="input w-20!"
      aria-label={`Paper ${index + 1}: ${label} in mm`}
      min={0.1}
      step={0.1}
      required
      value={(papers[index]?.[name] ?? 0) / 10 || ''}
      onChange={({ target }) => change(index, { [name]: Math.round(target.valueAsNumber * 10) || 0 })}
    />
  )
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2 text-sm font-semibold">Custom papers</legend>
      {papers.map((paper, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: papers have no id, and their names are edited
        <div key={index} className="flex flex-wrap items-center gap-2">
          <input
            className="input min-w-24 flex-1"
            aria-label={`Paper ${index + 1}: name`}
            placeholder="Name"
            required
            maxLength={PRINTER_LIMITS.customPaperNameLengthMax}
            value={paper.name}
            onChange={({ target }) => change(index, { name: target.value })}
          />
          {side(index, 'width', 'width')}
          <span aria-hidden>×</span>
          {side(index, 'height', 'height')}
          <span className="text-sm text-muted">mm</span>
          <Button
            variant="quiet"
            aria-label={`Remove paper ${index + 1}`}
            onClick={() => onChange(papers.filter((_, each) => each !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button
          disabled={papers.length >= PRINTER_LIMITS.customPapersMax}
          onClick={() => onChange([...papers, { name: '', width: 0, height: 0 }])}
        >
          Add a paper
        </Button>
      </div>
    </fieldset>
  )
}
