import type { PrintOptions } from '../../../api/gen/schema.ts'
import type { Printer } from '../../../api/resources.ts'
import { SelectField } from '../../../ui/field.tsx'
import {
  AS_THE_PRINTER,
  describeOption,
  describeValue,
  ENTERED,
  listOffered,
  type OptionName,
  type OptionValue,
} from '../print-options.ts'

interface DefaultOptionsProps {
  printer: Printer
  customPapers: readonly { name: string }[]
  options: PrintOptions
  onChange(options: PrintOptions): void
}

const COPIES_SHOWN = 20

/** One choice for each option that the printer has. A present value that the printer ignores stays visible. */
export function DefaultOptions({ printer, customPapers, options, onChange }: DefaultOptionsProps) {
  const copies = Math.min(printer.capabilities?.copies ?? 1, COPIES_SHOWN)
  const choices = listOffered(printer, customPapers)
    .map((option) => {
      const entered = ENTERED[option.name] ? options[option.name] : undefined
      if (entered) return { ...option, values: [entered] }
      return option.name === 'copies' && copies > 1
        ? { ...option, values: Array.from({ length: copies }, (_, index) => index + 1) }
        : option
    })
    .filter(({ name, values }) => values.length > 0 || options[name] !== undefined)
  const set = (name: OptionName, text: string) => {
    const { [name]: _, ...others } = options
    onChange(text === '' ? others : { ...others, [name]: JSON.parse(text) })
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 text-sm font-semibold">Options for jobs that do not set them</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {choices.map(({ name, values }) => {
          const value = options[name]
          const isIgnored = value !== undefined && value !== null && !values.includes(value as OptionValue)
          return (
            <SelectField
              key={name}
              label={describeOption(name)}
              value={value === undefined ? '' : JSON.stringify(value)}
              onChange={({ target }) => set(name, target.value)}
              hint={isIgnored ? 'The printer ignores this value.' : undefined}
            >
              <option value="">{AS_THE_PRINTER}</option>
              {value === null && <option value="null">{AS_THE_PRINTER} (null)</option>}
              {isIgnored && <option value={JSON.stringify(value)}>{describeValue(name, value)} (ignored)</option>}
              {values.map((one) => (
                <option key={String(one)} value={JSON.stringify(one)}>
                  {describeValue(name, one)}
                </option>
              ))}
            </SelectField>
          )
        })}
      </div>
    </fieldset>
  )
}
