/** Finds jobs, pages and actions. Loaded when it is opened. */
import { SEARCH } from '@platen/resources/limits.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { useLive } from '../api/live.tsx'
import { searchQuery } from '../api/queries.ts'
import { JobState } from '../features/jobs/job-state.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/dialog.tsx'
import { ErrorPanel } from '../ui/error-panel.tsx'
import { Age } from '../ui/time.tsx'
import { listPages } from './navigation.tsx'

/** The pause of typing, before the service is asked. */
const PAUSE_MS = 200

interface Result {
  id: string
  to: LinkProps['to']
  params?: object
  content: ReactNode
}

const ACTIONS: { label: string; to: LinkProps['to'] }[] = [
  { label: 'Print a document', to: '/$mode/print' },
  { label: 'Add a computer', to: '/$mode/computers/new' },
  { label: 'Members', to: '/settings/members' },
  { label: 'Audit log', to: '/settings/audit' },
]

export function SearchDialog({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const [selected, setSelected] = useState(0)
  const { results, isSearching, error } = useResults(text)
  const navigate = useNavigate()
  const listId = useId()
  const active = results[Math.min(selected, results.length - 1)]
  const toId = ({ id }: Result) => `${listId}-${id}`
  const open = ({ to, params }: Result) => {
    onClose()
    void navigate({ to, params: params as never, search: {} as never })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setSelected((selected + step + results.length) % Math.max(1, results.length))
    else if (event.key === 'Enter' && active) open(active)
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Title, number, source, printer or page"
        aria-expanded={results.length > 0}
        aria-controls={listId}
        aria-activedescendant={active && toId(active)}
        placeholder="Title, #number, source, printer or page"
        autoComplete="off"
        maxLength={SEARCH.lengthMax}
        className="min-h-9 rounded-md border border-field bg-canvas px-2.5"
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setSelected(0)
        }}
        onKeyDown={onKeyDown}
      />
      {error && <ErrorPanel title="The jobs could not be searched." error={error} />}
      <div id={listId} role="listbox" aria-label="Results" className="-mx-2 max-h-[60dvh] overflow-y-auto">
        {results.map((result, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox
          <div
            key={result.id}
            id={toId(result)}
            role="option"
            tabIndex={-1}
            aria-selected={result === active}
            onClick={() => open(result)}
            onPointerMove={() => setSelected(index)}
            className={`flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2 text-sm ${result === active ? 'bg-raised' : ''}`}
          >
            {result.content}
          </div>
        ))}
      </div>
      <p role="status" className={results.length > 0 ? 'sr-only' : 'text-sm text-muted'}>
        {toStatus(isSearching, results.length)}
      </p>
      <DialogButtons>
        <Button onClick={onClose}>Close</Button>
      </DialogButtons>
    </Dialog>
  )
}

function toStatus(isSearching: boolean, count: number): string {
  if (isSearching) return 'Searching …'
  if (count > 0) return count === 1 ? '1 result' : `${count} results`
  return 'No job, page or action matches. Words inside titles are searched in the newest 5,000 jobs.'
}

function useResults(text: string): { results: Result[]; isSearching: boolean; error: Error | null } {
  const live = useLive()
  const typed = text.trim()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const query = useQuery({ ...searchQuery(live, asked), placeholderData: keepPreviousData })
  const params = { mode: live.mode }
  const pages = [...listPages(live.session), ...ACTIONS]
    .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()))
    .map(({ label, to }): Result => ({ id: `${to}`, to, params, content: <span className="truncate">{label}</span> }))
  const jobs = (typed === '' ? [] : (query.data?.data ?? [])).map(
    ({ id, number, title, state, createdAt }): Result => ({
      id,
      to: '/$mode/jobs/$jobId',
      params: { ...params, jobId: id },
      content: (
        <>
          <span className="w-24 shrink-0">
            <JobState state={state} />
          </span>
          <span className="min-w-0 grow truncate font-medium">{title}</span>
          {number !== null && <span className="id shrink-0 text-muted">#{number}</span>}
          <span className="shrink-0 text-muted">
            <Age time={createdAt} />
          </span>
        </>
      ),
    }),
  )
  return { results: [...jobs, ...pages], isSearching: typed !== asked || query.isFetching, error: query.error }
}
