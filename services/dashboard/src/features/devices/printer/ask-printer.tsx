import { useMutation } from '@tanstack/react-query'
import type { AskedPrinter, operations } from '../../../api/gen/schema.ts'
import { useLive } from '../../../api/live.tsx'
import { announce } from '../../../ui/announce.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import type { TypedLanguage } from './language-fields.tsx'

type Question = operations['askPrinter']['requestBody']['content']['application/json']

interface AskPrinterProps {
  computerId: string
  question: Question
  /** Why it cannot be asked now. */
  disabledReason?: string | undefined
  onAnswer(typed: TypedLanguage): void
}

/** Asks a raw printer for its language, when a person wants it, because it may print what it does not understand. */
export function AskPrinter({ computerId, question, disabledReason, onAnswer }: AskPrinterProps) {
  const { send } = useLive()
  const params = { path: { id: computerId } }
  const ask = useMutation({
    mutationFn: () => send((api) => api.POST('/account/computers/{id}/printer-questions', { params, body: question })),
  })
  const fillIn = ({ language, dpi, width }: AskedPrinter) => {
    if (language === null) return
    announce(`The printer answers in ${language === 'zpl' ? 'ZPL' : 'ESC/POS'}`)
    onAnswer({ language, dpi: String(dpi ?? 203), width: width === null ? '' : String(width) })
  }
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="text-muted">
        It may say whether its language is ZPL or ESC/POS. A printer of another language may print a few characters.
      </p>
      {ask.error && <ErrorPanel title="The printer was not asked." error={ask.error} />}
      {ask.data?.language === null && (
        <p role="status">
          The printer answers in none of the languages. Some answer only after their first label: choose the language,
          if you know it.
        </p>
      )}
      <div className="flex items-center gap-3">
        <Button
          disabled={ask.isPending}
          disabledReason={disabledReason}
          onClick={() => ask.mutate(undefined, { onSuccess: fillIn })}
        >
          Ask the printer
        </Button>
        {ask.isPending && <span className="text-muted">The computer asks it …</span>}
      </div>
    </div>
  )
}
