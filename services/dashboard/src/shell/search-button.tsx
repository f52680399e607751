import { Search } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { SEARCH_KEY } from '../ui/shortcuts.ts'

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }))

/** Opens the search of each page. @param isSmall shows the symbol only. */
export function SearchButton({ isSmall = false }: { isSmall?: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  return (
    <>
      {isSmall ? (
        <Button variant="quiet" className="ml-auto" aria-label="Search" aria-keyshortcuts={SEARCH_KEY} onClick={open}>
          <Search size={18} aria-hidden />
        </Button>
      ) : (
        <button
          type="button"
          aria-label="Search"
          aria-keyshortcuts={SEARCH_KEY}
          onClick={open}
          className="flex min-h-8 w-full items-center gap-2.5 rounded-md border border-field bg-canvas px-2.5 text-sm text-muted hover:text-text"
        >
          <Search size={16} aria-hidden />
          Search
          <kbd className="ml-auto font-mono text-xs">Ctrl K</kbd>
        </button>
      )}
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
