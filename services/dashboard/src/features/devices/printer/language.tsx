import { takesFormat } from '@platen/resources/takes-format.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLive, useResource } from '../../../api/live.tsx'
import { networkPrintersQuery } from '../../../api/queries.ts'
import type { Printer } from '../../../api/resources.ts'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { Section } from '../../../ui/section.tsx'
import { LANGUAGE_HASH } from '../language-hash.ts'
import { AskPrinter } from './ask-printer.tsx'
import { LanguageFields, toNumbers, toTyped } from './language-fields.tsx'

/** The agent reports the printer within this time. */
const REPORT_MS = 1_000
const REPORTS_MAX = 8

/** Whether the printer takes raw data only, apart from what its agent draws. */
export const isRawPrinter = ({ capabilities }: Printer): boolean =>
  capabilities ? capabilities.raster !== null || !takesFormat(capabilities, 'pdf') : false

/** The language of a raw printer, in which its agent asks it, and draws PDFs and images. */
export function Language({ printer }: { printer: Printer }) {
  const { id, displayName, computerId, osName, capabilities } = printer
  const live = useLive()
  const { send, resources, isPermitted } = live
  const computer = useResource('computer', computerId)
  const isUnknown = capabilities?.raster === null
  const { data: network } = useQuery(networkPrintersQuery(live, computerId, isUnknown && computer?.state === 'online'))
  const [typed, setTyped] = useState(() => toTyped(capabilities?.raster, capabilities?.language))
  const section = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash === `#${LANGUAGE_HASH}`) section.current?.scrollIntoView()
  }, [])
  const save = useMutation({
    async mutationFn() {
      const language = typed.language || null
      const body = { language, ...(language !== null && toNumbers(typed)) }
      await send((api) => api.POST('/account/printers/{id}/language', { params: { path: { id } }, body }))
      for (let reports = 1; ; reports++) {
        const found = await send((api) => api.GET('/v1/printers/{id}', { params: { path: { id } } }))
        const isReported = (found.capabilities.raster?.rawLanguage ?? found.capabilities.language) === language
        if (isReported || reports === REPORTS_MAX) return found
        await new Promise((resolve) => setTimeout(resolve, REPORT_MS))
      }
    },
    onSuccess(found) {
      resources.put('printer', found as never)
      setTyped(toTyped(found.capabilities.raster, found.capabilities.language))
      announce(`The language of ${displayName} is set`)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const disabledReason = !isPermitted('setPrinterLanguage')
    ? 'Only owners and admins can set the language.'
    : computer?.state === 'offline'
      ? 'The computer is offline.'
      : undefined
  return (
    <div ref={section} id={LANGUAGE_HASH} className="min-w-0 scroll-mt-16">
      <Section title="Language">
        <form className="flex flex-col gap-4" onSubmit={submit}>
          <LanguageFields value={typed} onChange={setTyped} />
          {isUnknown && typed.language === '' && network?.askable.includes(osName) && (
            <AskPrinter computerId={computerId} question={{ osName }} onAnswer={setTyped} />
          )}
          {save.error && <ErrorPanel title="The language was not set." error={save.error} />}
          <div className="flex items-center gap-3">
            <Button type="submit" disabled={save.isPending} disabledReason={disabledReason}>
              Set the language
            </Button>
            {save.isPending && <span className="text-sm text-muted">The computer changes it …</span>}
          </div>
        </form>
      </Section>
    </div>
  )
}
