import { Link, type LinkProps } from '@tanstack/react-router'
import type { Overview } from '../../api/gen/schema.ts'
import { useLive } from '../../api/live.tsx'
import { Section } from '../../ui/section.tsx'

type Steps = NonNullable<Overview['checklist']>

/** The steps of a new installation, in their order. */
export function Checklist({ steps }: { steps: Steps }) {
  const { mode } = useLive()
  const list: { name: keyof Steps; title: string; detail: string; link: LinkProps }[] = [
    {
      name: 'samplePrinted',
      title: 'Print a sample',
      detail: 'In test mode, which uses no paper.',
      link: { to: '/$mode/start', params: { mode: 'test' } },
    },
    {
      name: 'computerAdded',
      title: 'Add a computer',
      detail: 'Its printers appear by themselves.',
      link: { to: '/$mode/computers/new', params: { mode: 'live' } },
    },
    {
      name: 'printedOnPaper',
      title: 'Print on paper',
      detail: 'Send a document to one of your printers.',
      link: { to: '/$mode/print', params: { mode: 'live' } },
    },
    {
      name: 'keyCreated',
      title: 'Create an API key',
      detail: 'Your programs print with it.',
      link: { to: '/$mode/keys', params: { mode } },
    },
  ]
  const next = list.find(({ name }) => !steps[name])
  return (
    <Section title="First steps" isFlush>
      <ol aria-label="First steps">
        {list.map((step, index) => {
          const isDone = steps[step.name]
          return (
            <li key={step.name} className="flex min-h-12 items-center gap-3 border-b px-4 py-2 last:border-0">
              <span aria-hidden className={`w-5 shrink-0 text-center ${isDone ? 'text-ok' : 'text-muted'}`}>
                {isDone ? '✓' : index + 1}
              </span>
              <span className="min-w-0 flex-1">
                <span className={isDone ? 'text-muted' : 'font-semibold'}>{step.title}</span>
                {isDone ? (
                  <span className="sr-only">: done</span>
                ) : (
                  <span className="block text-sm text-muted">{step.detail}</span>
                )}
              </span>
              {!isDone && (
                <Link {...step.link} className={step === next ? 'button button-primary' : 'button'}>
                  {step.title}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}
