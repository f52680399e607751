import { PRINTER_LIMITS } from '@platen/resources/limits.ts'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'

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
          <Side
            label={`Paper ${index + 1}: width in mm`}
            tenths={paper.width}
            onChange={(width) => change(index, { width })}
          />
          <span aria-hidden>×</span>
          <Side
            label={`Paper ${index + 1}: height in mm`}
            tenths={paper.height}
            onChange={(height) => change(index, { height })}
          />
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

interface SideProps {
  label: string
  /** Tenths of a millimetre. Zero: not entered. */
  tenths: number
  onChange(tenths: number): void
}

const toTenths = (text: string) => Math.round(Number(text) * 10)

function Side({ label, tenths, onChange }: SideProps) {
  // What is typed, such as `62.`, while it is this length.
  const [typed, setTyped] = useState('')
  return (
    <input
      type="number"
      className="input w-20!"
      aria-label={label}
      min={0.1}
      step={0.1}
      required
      value={toTenths(typed) === tenths ? typed : tenths / 10}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(toTenths(target.value))
      }}
    />
  )
}
