import type { ReactNode } from 'react'
import type { Printer } from '../../api/resources.ts'
import {
  AS_THE_PRINTER,
  describeOption,
  describeValue,
  ENTERED,
  listOffered,
  type OptionName,
} from '../devices/print-options.ts'
import type { PrintOptions } from './preview/sheets.ts'

interface OptionsFormProps {
  printer: Printer
  value: PrintOptions
  onChange(options: PrintOptions): void
}

/** What the printer offers, folded until it is opened. Options that it does not offer are not shown. */
export function OptionsForm({ printer, value, onChange }: OptionsFormProps) {
  const { capabilities, customPapers, defaultOptions } = printer
  if (!capabilities) return null
  const set = (name: OptionName, text: string) => {
    const { [name]: _, ...others } = value
    onChange(text === '' ? others : { ...others, [name]: JSON.parse(text) })
  }
  const chosen = Object.entries(value).filter(([, one]) => one !== undefined)
  return (
    <details>
      <summary className="text-sm">
        <span className="font-semibold">Options:</span>{' '}
        {chosen.length === 0
          ? AS_THE_PRINTER
          : chosen.map(([name, one]) => `${describeOption(name)} ${describeValue(name, one)}`).join(', ')}
      </summary>
      <fieldset className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3" aria-label="Options">
        {listOffered(printer, customPapers).map(({ name, values }) => {
          const entered = ENTERED[name]
          if (entered)
            return (
              <Choice key={name} label={describeOption(name)}>
                <input
                  className="input"
                  placeholder={entered.placeholder}
                  pattern={entered.pattern}
                  title={entered.hint}
                  value={String(value[name] ?? '')}
                  onChange={({ target }) => set(name, target.value === '' ? '' : JSON.stringify(target.value))}
                />
              </Choice>
            )
          if (name === 'copies')
            return (
              capabilities.copies > 1 && (
                <Choice key={name} label={describeOption(name)}>
                  <input
                    className="input"
                    type="number"
                    min={1}
                    max={capabilities.copies}
                    placeholder={String(defaultOptions.copies ?? 1)}
                    value={value.copies ?? ''}
                    onChange={({ target }) => set(name, target.value)}
                  />
                </Choice>
              )
            )
          return (
            values.length > 0 && (
              <Choice key={name} label={describeOption(name)}>
                <select
                  className="input"
                  value={value[name] === undefined ? '' : JSON.stringify(value[name])}
                  onChange={({ target }) => set(name, target.value)}
                >
                  <option value="">
                    {defaultOptions[name] == null
                      ? AS_THE_PRINTER
                      : `default: ${describeValue(name, defaultOptions[name])}`}
                  </option>
                  {value[name] === null && <option value="null">{AS_THE_PRINTER}</option>}
                  {values.map((one) => (
                    <option key={String(one)} value={JSON.stringify(one)}>
                      {describeValue(name, one)}
                    </option>
                  ))}
                </select>
              </Choice>
            )
          )
        })}
      </fieldset>
    </details>
  )
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className="flex flex-col gap-1 text-sm">
      <span className="font-medium">{label}</span>
      {children}
    </label>
  )
}
