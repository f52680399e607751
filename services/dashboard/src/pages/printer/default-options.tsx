import type { PrintOptions } from '../../api/gen/schema.ts'
import type { Printer } from '../../api/resources.ts'
import { SelectField } from '../../ui/field.tsx'

type Options = PrintOptions
type Name = keyof Options
type Value = string | number | boolean | null

interface Choice {
  name: Name
  label: string
  values: readonly Value[]
}

interface DefaultOptionsProps {
  printer: Printer
  customPapers: readonly { name: string }[]
  options: Options
  onChange(options: Options): void
}

/** One choice for each option that the printer has. A present value that the printer ignores stays visible. */
export function DefaultOptions({ printer, customPapers, options, onChange }: DefaultOptionsProps) {
  const choices = listChoices(printer, customPapers).filter(
    ({ name, values }) => values.length > 0 || options[name] !== undefined,
  )
  const set = (name: Name, text: string) => {
    const { [name]: _, ...others } = options
    onChange(text === '' ? others : { ...others, [name]: JSON.parse(text) })
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 text-sm font-semibold">Options for jobs that do not set them</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {choices.map(({ name, label, values }) => {
          const value = options[name]
          const isIgnored = value !== undefined && value !== null && !values.includes(value)
          return (
            <SelectField
              key={name}
              label={label}
              value={value === undefined ? '' : JSON.stringify(value)}
              onChange={({ target }) => set(name, target.value)}
              hint={isIgnored ? 'The printer ignores this value.' : undefined}
            >
              <option value="">Not set</option>
              {value === null && <option value="null">As the printer is set</option>}
              {isIgnored && <option value={JSON.stringify(value)}>{toText(value)} (ignored)</option>}
              {values.map((one) => (
                <option key={String(one)} value={JSON.stringify(one)}>
                  {toText(one)}
                </option>
              ))}
            </SelectField>
          )
        })}
      </div>
    </fieldset>
  )
}

const toText = (value: Value) => (value === true ? 'Yes' : value === false ? 'No' : String(value))

const SWITCH = [true, false]
const COPIES_SHOWN = 20

function listChoices({ capabilities }: Printer, customPapers: readonly { name: string }[]): Choice[] {
  if (!capabilities) return []
  const { papers, bins, dpis, medias, duplex, color, collate, copies, nup } = capabilities
  return [
    { name: 'paper', label: 'Paper', values: [...customPapers.map(({ name }) => name), ...Object.keys(papers)] },
    { name: 'bin', label: 'Tray', values: bins },
    { name: 'media', label: 'Media', values: medias },
    { name: 'duplex', label: 'Both sides', values: duplex ? ['long-edge', 'short-edge', 'one-sided'] : [] },
    { name: 'color', label: 'Color', values: color ? SWITCH : [] },
    { name: 'dpi', label: 'Resolution', values: dpis },
    {
      name: 'copies',
      label: 'Copies',
      values: copies > 1 ? Array.from({ length: Math.min(copies, COPIES_SHOWN) }, (_, index) => index + 1) : [],
    },
    { name: 'collate', label: 'Collate copies', values: collate ? SWITCH : [] },
    { name: 'nup', label: 'Pages per sheet', values: nup.length > 1 ? nup : [] },
    { name: 'fit_to_page', label: 'Fit to the page', values: SWITCH },
    { name: 'rotate', label: 'Rotate', values: [0, 90, 180, 270] },
    { name: 'pages', label: 'Pages', values: [] },
  ]
}
