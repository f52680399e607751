import { ChevronDown } from 'lucide-react'
import { useId, useRef } from 'react'
import { Button, type ButtonProps } from './button.tsx'

interface MenuItem {
  label: string
  isDangerous?: boolean
  onClick(): void
}

interface MenuProps extends Pick<ButtonProps, 'className' | 'aria-label'> {
  label: string
  /** Phones show the arrow only. */
  isCompact?: boolean
  items: MenuItem[]
}

/** A button that shows further ones until one is chosen, or Escape or another place is pressed. */
export function Menu({ label, isCompact = false, items, ...props }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  return (
    <>
      <Button popoverTarget={id} {...props}>
        <span className={isCompact ? 'max-sm:sr-only' : undefined}>{label}</span>
        <ChevronDown size={14} aria-hidden />
      </Button>
      <div ref={list} id={id} popover="auto" className="menu">
        {items.map(({ label, isDangerous, onClick }) => (
          <Button
            key={label}
            variant="quiet"
            className={isDangerous ? 'justify-start text-error' : 'justify-start'}
            onClick={() => {
              // First, so that a dialog returns the focus to the button of the menu.
              list.current?.hidePopover()
              onClick()
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    </>
  )
}
