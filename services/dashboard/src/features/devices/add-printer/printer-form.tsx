import { type FormEvent, useState } from 'react'
import type { FoundPrinter, operations } from '../../../api/gen/schema.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Field, SelectField } from '../../../ui/field.tsx'
import { AskPrinter } from '../printer/ask-printer.tsx'
import { LanguageFields, toNumbers, toTyped } from '../printer/language-fields.tsx'
import { KINDS, type Kind, splitUri, toUri } from './printer-address.ts'

export type NewPrinter = operations['addNetworkPrinter']['requestBody']['content']['application/json']

interface PrinterFormProps {
  computerId: string
  /** A found printer. */
  initial: FoundPrinter | undefined
  mutation: { mutate(printer: NewPrinter): void; isPending: boolean; isSuccess: boolean; error: Error | null }
}

/** The name and the address of a printer, and the language of a raw one. */
export function PrinterForm({ computerId, initial, mutation }: PrinterFormProps) {
  const found = splitUri(initial?.uri)
  const [name, setName] = useState(initial?.name ?? '')
  const [kind, setKind] = useState<Kind>(found.kind)
  const [address, setAddress] = useState(found.address)
  const [typed, setTyped] = useState(() => toTyped(initial?.raster, initial?.language))
  const uri = toUri(kind, address)
  // A question could print pages on it.
  const isOffice = initial?.hasPageLanguage === true && initial.uri === uri
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { language } = typed
    mutation.mutate({
      name,
      uri,
      ...(kind === 'socket' && language !== '' && { rasterize: { rawLanguage: language, ...toNumbers(typed) } }),
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
      {kind === 'socket' && <LanguageFields value={typed} onChange={setTyped} />}
      {kind === 'socket' && typed.language === '' && !isOffice && (
        <AskPrinter
          key={uri}
          computerId={computerId}
          question={{ uri }}
          disabledReason={address.trim() === '' ? 'Type its address first.' : undefined}
          onAnswer={setTyped}
        />
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
