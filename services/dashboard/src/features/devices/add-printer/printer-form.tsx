import { type FormEvent, useState } from 'react'
import type { operations } from '../../../api/gen/schema.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Field, SelectField } from '../../../ui/field.tsx'
import { KINDS, type Kind, splitUri, toUri } from './printer-address.ts'

export type NewPrinter = operations['addNetworkPrinter']['requestBody']['content']['application/json']

type Language = '' | 'zpl' | 'escpos'

interface PrinterFormProps {
  /** A found printer. */
  initial: NewPrinter | undefined
  mutation: { mutate(printer: NewPrinter): void; isPending: boolean; isSuccess: boolean; error: Error | null }
}

/** The name and the address of a printer, and the language of a raw one. */
export function PrinterForm({ initial, mutation }: PrinterFormProps) {
  const found = splitUri(initial?.uri)
  const [name, setName] = useState(initial?.name ?? '')
  const [kind, setKind] = useState<Kind>(found.kind)
  const [address, setAddress] = useState(found.address)
  const [language, setLanguage] = useState<Language>('')
  const [dpi, setDpi] = useState('203')
  const [width, setWidth] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const drawn = kind === 'socket' && language !== ''
    mutation.mutate({
      name,
      uri: toUri(kind, address),
      ...(drawn && {
        rasterize: { rawLanguage: language, dpi: Number(dpi), ...(width && { width: Number(width) }) },
      }),
    })
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      <SelectField
        label="Kind"
        hint={KINDS[kind].hint}
        value={kind}
        onChange={({ target }) => setKind(target.value as Kind)}
      >
        {Object.entries(KINDS).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <Field
        label="Address"
        required
        autoComplete="off"
        spellCheck="false"
        hint={`A name or an IP address${kind === 'socket' ? '' : ', with a path if it is another than /ipp/print'}: ${KINDS[kind].example}`}
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      <Field
        label="Name"
        required
        maxLength={127}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {kind === 'socket' && (
        <SelectField
          label="Language"
          hint="With a language the agent also prints PDFs and images, which it draws itself."
          value={language}
          onChange={({ target }) => setLanguage(target.value as Language)}
        >
          <option value="">Only raw data in the language of the printer</option>
          <option value="zpl">ZPL: label printers of Zebra and compatible ones</option>
          <option value="escpos">ESC/POS: receipt printers</option>
        </SelectField>
      )}
      {kind === 'socket' && language !== '' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Resolution in dpi"
            type="number"
            required
            min={100}
            max={600}
            value={dpi}
            onChange={({ target }) => setDpi(target.value)}
          />
          <Field
            label="Width in dots"
            type="number"
            min={64}
            max={4_800}
            hint={language === 'zpl' ? 'Of the labels. Empty: 4 inches.' : 'Of the print head. Empty: paper of 80 mm.'}
            value={width}
            onChange={({ target }) => setWidth(target.value)}
          />
        </div>
      )}
      {mutation.error && <ErrorPanel title="The printer was not added." error={mutation.error} />}
      <div className="flex items-center gap-3">
        <Button type="submit" variant={mutation.isSuccess ? 'normal' : 'primary'} disabled={mutation.isPending}>
          Add the printer
        </Button>
        {mutation.isPending && <span className="text-sm text-muted">The computer connects to the printer …</span>}
      </div>
    </form>
  )
}
