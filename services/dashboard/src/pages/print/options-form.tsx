import type { ReactNode } from 'react'
import type { Printer } from '../../api/resources.ts'
import type { PrintOptions } from '../../preview/sheets.ts'

interface OptionsFormProps {
  printer: Printer
  value: PrintOptions
  onChange(options: PrintOptions): void
}

/** What the printer offers. Options that it does not offer are not shown. */
export function OptionsForm({
  printer: { capabilities, customPapers, defaultOptions },
  value,
  onChange,
}: OptionsFormProps) {
  if (!capabilities) return null
  const papers = [...customPapers.map(({ name }) => name), ...Object.keys(capabilities.papers)]
  const set = (name: keyof PrintOptions) => (text: string) => {
    const { [name]: _, ...others } = value
    onChange(text === '' ? others : { ...others, [name]: JSON.parse(text) })
  }
  const choice = (name: keyof PrintOptions, label: string, offered: (string | number | boolean)[], words?: string[]) =>
    offered.length > 0 && (
      <Choice label={label}>
        <select
          className="input"
          value={value[name] === undefined ? '' : JSON.stringify(value[name])}
          onChange={({ target }) => set(name)(target.value)}
        >
          <option value="">{toDefault(defaultOptions[name])}</option>
          {value[name] === null && <option value="null">printer's own</option>}
          {offered.map((one, index) => (
            <option key={String(one)} value={JSON.stringify(one)}>
              {words?.[index] ?? String(one)}
            </option>
          ))}
        </select>
      </Choice>
    )
  return (
    <fieldset className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3">
      <legend className="mb-2 text-sm font-semibold">Options</legend>
      {choice('paper', 'Paper', papers)}
      {capabilities.duplex &&
        choice(
          'duplex',
          'Sides',
          ['one-sided', 'long-edge', 'short-edge'],
          ['one side', 'both, long edge', 'both, short edge'],
        )}
      {choice(
        'color',
        'Color',
        capabilities.color ? [true, false] : [false],
        capabilities.color ? ['color', 'gray'] : ['gray'],
      )}
      <Choice label="Pages">
        <input
          className="input"
          placeholder="all"
          pattern="[0-9,\-]*"
          value={value.pages ?? ''}
          onChange={({ target }) => set('pages')(target.value === '' ? '' : JSON.stringify(target.value))}
        />
      </Choice>
      {choice('nup', 'Pages per side', capabilities.nup.length > 1 ? capabilities.nup : [])}
      {choice('rotate', 'Rotate', [0, 90, 180, 270], ['0°', '90°', '180°', '270°'])}
      {choice('fit_to_page', 'Size', [true, false], ['fit to the sheet', '100 %'])}
      {capabilities.copies > 1 && (
        <Choice label="Copies">
          <input
            className="input"
            type="number"
            min={1}
            max={capabilities.copies}
            placeholder={String(defaultOptions.copies ?? 1)}
            value={value.copies ?? ''}
            onChange={({ target }) => set('copies')(target.value)}
          />
        </Choice>
      )}
      {capabilities.collate && choice('collate', 'Sort copies', [true, false], ['into sets', 'page by page'])}
      {choice('bin', 'Tray', capabilities.bins)}
      {choice('media', 'Kind of paper', capabilities.medias)}
      {choice('dpi', 'Resolution', capabilities.dpis)}
    </fieldset>
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

const toDefault = (value: unknown) => (value === undefined || value === null ? "printer's own" : `default: ${value}`)
