import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

interface FoldedFiltersProps {
  /** How many of them are set. */
  chosen: number
  children: ReactNode
}

/** Filters that phones show below a button. */
export function FoldedFilters({ chosen, children }: FoldedFiltersProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button className="md:hidden" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Filters{chosen > 0 && ` (${chosen})`}
      </Button>
      <div className={isOpen ? 'contents' : 'hidden md:contents'}>{children}</div>
    </>
  )
}
