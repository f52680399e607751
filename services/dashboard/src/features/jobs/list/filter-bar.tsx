import { JOB_STATES } from '@platen/resources/job-states.ts'
import { SEARCH } from '@platen/resources/limits.ts'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { isId, type JobFilters, parseNumber, type StateFilter } from '../../../api/job-filters.ts'
import { useComputers, useLive, usePrinters } from '../../../api/live.tsx'
import { Button } from '../../../ui/button.tsx'
import { FilterSelect, TimeFilter } from '../../../ui/field.tsx'
import { FoldedFilters } from '../../../ui/folded-filters.tsx'
import { nameComputer } from '../../devices/name-computer.ts'
import { PrinterOptions } from '../../devices/printer-options.tsx'

const TABS: [StateFilter, string][] = [
  ['attention', 'Needs attention'],
  ['active', 'Active'],
  ['done', 'Done'],
  ['all', 'All'],
]

const HOUR = 3_600_000
const PERIODS: [label: string, ms: number][] = [
  ['Last hour', HOUR],
  ['Last 24 hours', 24 * HOUR],
  ['Last 7 days', 7 * 24 * HOUR],
]

interface FilterBarProps {
  filters: JobFilters
  onChange(changes: JobFilters): void
}

export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { state = 'attention', q, destination, source, confirmedBy, batch, metadata = {}, number, from, to } = filters
  const isFiltered = Object.keys(filters).some((name) => name !== 'state')
  const unfiltered: JobFilters = Object.fromEntries(Object.keys(filters).map((name) => [name, undefined]))
  const pairs = Object.entries(metadata)
  const chips: [text: string | false, change: JobFilters][] = [
    [destination !== undefined && 'One destination', { destination: undefined }],
    [source !== undefined && `Source ${source}`, { source: undefined }],
    [confirmedBy !== undefined && `Confirmed by ${confirmedBy}`, { confirmedBy: undefined }],
    [batch !== undefined && 'One batch', { batch: undefined }],
    ...pairs.map((pair): [string, JobFilters] => [
      pair.join(' '),
      { metadata: Object.fromEntries(pairs.filter((other) => other !== pair)) },
    ]),
  ]
  const chosen = [filters.printer, filters.computer, from ?? to, ...chips.map(([text]) => text)].filter(Boolean).length
  const setState = (value: StateFilter) => onChange({ state: value === 'attention' ? undefined : value })
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-surface px-4 py-2">
      <fieldset aria-label="State" className="flex min-w-0 flex-wrap items-center gap-0.5 rounded-md border p-0.5">
        {TABS.map(([value, label]) => (
          <button
            key={value}
            type="button"
            aria-pressed={state === value}
            className={`min-h-6.5 rounded px-2 text-sm font-medium ${
              state === value ? 'bg-accent-soft text-accent' : 'text-muted hover:text-text'
            }`}
            onClick={() => setState(value)}
          >
            {label}
          </button>
        ))}
        <select
          aria-label="Exact state"
          className={`min-h-6.5 rounded px-1 text-sm font-medium ${
            TABS.some(([value]) => value === state) ? 'bg-surface text-muted' : 'bg-accent-soft text-accent'
          }`}
          value={TABS.some(([value]) => value === state) ? '' : state}
          onChange={({ target }) => setState((target.value || 'attention') as StateFilter)}
        >
          <option value="">State</option>
          {JOB_STATES.filter((one) => one !== 'done').map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </fieldset>
      <FoldedFilters chosen={chosen}>
        <PrinterFilter filters={filters} onChange={onChange} />
        <ComputerFilter filters={filters} onChange={onChange} />
        <PeriodFilter from={from} to={to} onChange={onChange} />
        {chips.map(
          ([text, change]) =>
            text && (
              <Button key={text} onClick={() => onChange(change)}>
                {text}
                <X size={14} aria-label="Remove the filter" />
              </Button>
            ),
        )}
      </FoldedFilters>
      <SearchField
        key={`${q} ${number}`}
        q={q}
        number={number}
        onChange={(found) => onChange(found.q || found.number ? { ...unfiltered, state: 'all', ...found } : found)}
      />
      {isFiltered && (
        <Button
          variant="quiet"
          onClick={() => onChange({ ...unfiltered, state: filters.q === undefined ? filters.state : undefined })}
        >
          <X size={14} aria-hidden />
          Clear filters
        </Button>
      )}
    </div>
  )
}

/** The printers by computer, which are loaded when it is used. */
function PrinterFilter({ filters: { printer }, onChange }: FilterBarProps) {
  const { printers } = usePrinters()
  const [isUsed, setIsUsed] = useState(false)
  const selected = printers.find(({ id }) => id === printer)
  return (
    <FilterSelect
      label="Printer"
      value={printer ?? ''}
      onFocus={() => setIsUsed(true)}
      onPointerEnter={() => setIsUsed(true)}
      onChange={({ target }) => onChange({ printer: target.value || undefined })}
    >
      <option value="">All printers</option>
      {printer && !(isUsed && selected) && <option value={printer}>{selected?.displayName ?? printer}</option>}
      {isUsed && <PrinterOptions printers={printers} />}
    </FilterSelect>
  )
}

/** Loads the computers when it is used, because the first page does not need them. */
function ComputerFilter({ filters: { computer }, onChange }: FilterBarProps) {
  const [isUsed, setIsUsed] = useState(computer !== undefined)
  return (
    <FilterSelect
      label="Computer"
      value={computer ?? ''}
      onFocus={() => setIsUsed(true)}
      onPointerEnter={() => setIsUsed(true)}
      onChange={({ target }) => onChange({ computer: target.value || undefined })}
    >
      <option value="">All computers</option>
      {isUsed && <ComputerOptions selected={computer} />}
    </FilterSelect>
  )
}

function ComputerOptions({ selected }: { selected: string | undefined }) {
  const { computers } = useComputers()
  return (
    <>
      {computers.map((computer) => (
        <option key={computer.id} value={computer.id}>
          {nameComputer(computer, computers)}
        </option>
      ))}
      {selected && !computers.some(({ id }) => id === selected) && <option value={selected}>{selected}</option>}
    </>
  )
}

function PeriodFilter({ from, to, onChange }: { from?: string; to?: string; onChange(changes: JobFilters): void }) {
  const [isCustom, setIsCustom] = useState(from !== undefined || to !== undefined)
  if (!isCustom)
    return (
      <FilterSelect
        label="Time"
        value=""
        onChange={({ target }) => {
          if (target.value === 'custom') return setIsCustom(true)
          setIsCustom(true)
          onChange({ from: new Date(Date.now() - Number(target.value)).toISOString() })
        }}
      >
        <option value="">Any time</option>
        {PERIODS.map(([label, ms]) => (
          <option key={ms} value={ms}>
            {label}
          </option>
        ))}
        <option value="custom">From … to …</option>
      </FilterSelect>
    )
  const field = (label: string, value: string | undefined, name: 'from' | 'to') => (
    <TimeFilter
      label={label}
      type="datetime-local"
      value={value ? toLocal(value) : ''}
      onChange={(text) => onChange({ [name]: text ? new Date(text).toISOString() : undefined })}
    />
  )
  return (
    <span className="flex flex-wrap items-center gap-2">
      {field('From', from, 'from')}
      {field('to', to, 'to')}
      <Button
        variant="quiet"
        className="px-1.5"
        aria-label="Any time"
        title="Any time"
        onClick={() => {
          setIsCustom(false)
          onChange({ from: undefined, to: undefined })
        }}
      >
        <X size={14} aria-hidden />
      </Button>
    </span>
  )
}

/** For `datetime-local`, which has no time zone. */
function toLocal(time: string): string {
  const date = new Date(time)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The id of a job opens its page. A number like `#1042` filters the list. Other texts search all jobs. */
function SearchField({ q, number, onChange }: { q?: string; number?: number; onChange(changes: JobFilters): void }) {
  const { mode } = useLive()
  const navigate = useNavigate()
  const [text, setText] = useState(number === undefined ? (q ?? '') : `#${number}`)
  const open = (value: string) => {
    const trimmed = value.trim()
    if (isId(trimmed)) return void navigate({ to: '/$mode/jobs/$jobId', params: { mode, jobId: trimmed } })
    const wanted = parseNumber(trimmed)
    if (wanted !== undefined) return onChange({ number: wanted })
    onChange({ number: undefined, q: trimmed || undefined })
  }
  return (
    <search className="min-w-40 grow md:max-w-64">
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          open(text)
        }}
      >
        <input
          className="input"
          aria-label="Search all jobs: title, #number, id, source or printer"
          placeholder="Search all jobs"
          title="Title, #number, id, source or printer"
          maxLength={SEARCH.lengthMax}
          value={text}
          onChange={({ target, nativeEvent }) => {
            setText(target.value)
            const isPasted = (nativeEvent as InputEvent).inputType === 'insertFromPaste'
            if (isPasted && isId(target.value.trim())) open(target.value)
          }}
        />
      </form>
    </search>
  )
}
