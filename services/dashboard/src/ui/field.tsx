import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'

interface FieldProps extends ComponentProps<'input'> {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

export function Field({ label, hint, error, className = '', ...props }: FieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        className={`input ${className}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={hint || error ? `${id}-hint` : undefined}
        {...props}
      />
      {(hint || error) && (
        <p id={`${id}-hint`} className={`text-xs ${error ? 'text-error' : 'text-muted'}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

interface SelectFieldProps extends ComponentProps<'select'> {
  label: string
}

/** Compact, for filters: the label is read but not shown. */
export function FilterSelect({ label, children, ...props }: SelectFieldProps) {
  return (
    <select aria-label={label} title={label} className="input w-auto max-w-48 min-w-0" {...props}>
      {children}
    </select>
  )
}

/** While a year is typed it has fewer digits, and the field is not valid yet. */
const MIN = { date: '2000-01-01', 'datetime-local': '2000-01-01T00:00' }

interface TimeFilterProps {
  label: string
  type: keyof typeof MIN
  /** Empty without a filter. */
  value: string
  onChange(value: string): void
}

/** Compact, for filters: the label is beside the field. Only complete values are applied. */
export function TimeFilter({ label, type, value, onChange }: TimeFilterProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.value = value
  }, [value])
  return (
    <label className="flex items-center gap-1.5 text-sm text-muted">
      {label}
      <input
        ref={input}
        type={type}
        className="input w-auto"
        min={MIN[type]}
        defaultValue={value}
        onChange={({ target }) => target.validity.valid && target.value !== value && onChange(target.value)}
      />
    </label>
  )
}

/** With the label above it, for forms. */
export function SelectField({ label, hint, children, ...props }: SelectFieldProps & { hint?: ReactNode }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select id={id} className="input" aria-describedby={hint ? `${id}-hint` : undefined} {...props}>
        {children}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

interface CheckFieldProps extends ComponentProps<'input'> {
  label: ReactNode
  hint?: ReactNode
}

export function CheckField({ label, hint, ...props }: CheckFieldProps) {
  const id = useId()
  return (
    <div className="flex min-h-6 gap-2 text-sm">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4 shrink-0"
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...props}
      />
      <span className="min-w-0">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <span id={`${id}-hint`} className="block text-xs text-muted">
            {hint}
          </span>
        )}
      </span>
    </div>
  )
}
