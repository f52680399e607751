import type { ComponentProps } from 'react'
import { announce } from './announce.tsx'

const VARIANTS = {
  normal: 'button',
  primary: 'button button-primary',
  danger: 'button button-danger',
  quiet: 'button button-quiet',
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof VARIANTS
  /** The button stays focusable, and a click only says why it does nothing. */
  disabledReason?: string | undefined
}

export function Button({ variant = 'normal', disabledReason, className = '', onClick, ...props }: ButtonProps) {
  const classes = `${VARIANTS[variant]} ${className}`
  if (disabledReason === undefined) return <button type="button" className={classes} onClick={onClick} {...props} />
  return (
    <button
      {...props}
      type="button"
      className={classes}
      aria-disabled="true"
      title={disabledReason}
      aria-description={disabledReason}
      onClick={(event) => {
        event.preventDefault()
        announce(disabledReason)
      }}
    />
  )
}
