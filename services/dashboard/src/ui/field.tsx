import { type ComponentProps, type ReactNode, useId } from 'react'

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
