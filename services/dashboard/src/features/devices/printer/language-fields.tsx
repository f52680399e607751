import type { Raster } from '../../../api/gen/schema.ts'
import { Field, SelectField } from '../../../ui/field.tsx'

/** The fields hold texts while they are typed. */
export interface TypedLanguage {
  language: '' | 'zpl' | 'escpos'
  dpi: string
  width: string
}

export const toTyped = (raster: Raster | null | undefined): TypedLanguage => ({
  language: (raster?.rawLanguage as TypedLanguage['language']) ?? '',
  dpi: String(raster?.dpi ?? 203),
  width: raster ? String(raster.width) : '',
})

/** @returns the numbers of a language that is chosen. */
export const toNumbers = ({ dpi, width }: TypedLanguage) => ({
  dpi: Number(dpi),
  ...(width && { width: Number(width) }),
})

interface LanguageFieldsProps {
  value: TypedLanguage
  onChange(value: TypedLanguage): void
}

/** The language in which an agent draws PDFs and images for a raw printer. */
export function LanguageFields({ value, onChange }: LanguageFieldsProps) {
  const { language, dpi, width } = value
  return (
    <>
      <SelectField
        label="Language"
        hint="With a language the agent also prints PDFs and images, which it draws itself."
        value={language}
        onChange={({ target }) =>
          onChange({ ...value, language: target.value as TypedLanguage['language'], width: '' })
        }
      >
        <option value="">Only raw data in the language of the printer</option>
        <option value="zpl">ZPL: label printers of Zebra and compatible ones</option>
        <option value="escpos">ESC/POS: receipt printers</option>
      </SelectField>
      {language !== '' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Resolution in dpi"
            type="number"
            required
            min={100}
            max={600}
            value={dpi}
            onChange={({ target }) => onChange({ ...value, dpi: target.value })}
          />
          <Field
            label="Width in dots"
            type="number"
            min={64}
            max={4_800}
            hint={language === 'zpl' ? 'Of the labels. Empty: 4 inches.' : 'Of the print head. Empty: paper of 80 mm.'}
            value={width}
            onChange={({ target }) => onChange({ ...value, width: target.value })}
          />
        </div>
      )}
    </>
  )
}
