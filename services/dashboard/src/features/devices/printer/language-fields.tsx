import type { operations, Raster } from '../../../api/gen/schema.ts'
import { Field, SelectField } from '../../../ui/field.tsx'

type RawLanguage = NonNullable<
  operations['setPrinterLanguage']['requestBody']['content']['application/json']['language']
>

const LANGUAGES: Record<RawLanguage, string> = {
  zpl: 'ZPL: label printers of Zebra and compatible ones',
  escpos: 'ESC/POS: receipt printers',
  star: 'Star Line Mode or StarPRNT: receipt printers of Star, only raw data',
  sbpl: 'SBPL: label printers of SATO, only raw data',
  pjl: 'PJL: office printers that print PostScript or PCL, only raw data',
}

/** The fields hold texts while they are typed. */
export interface TypedLanguage {
  language: '' | RawLanguage
  dpi: string
  width: string
}

/** @param language of a printer for which nothing is drawn. */
export const toTyped = (raster: Raster | null | undefined, language: string | null | undefined): TypedLanguage => ({
  language: ((raster?.rawLanguage ?? language) as RawLanguage | undefined | null) ?? '',
  dpi: String(raster?.dpi ?? 203),
  width: raster ? String(raster.width) : '',
})

const isDrawn = (language: TypedLanguage['language']) => language === 'zpl' || language === 'escpos'

/** @returns the numbers of a language that is chosen, if the agent draws in it. */
export const toNumbers = ({ language, dpi, width }: TypedLanguage) =>
  isDrawn(language) ? { dpi: Number(dpi), ...(width && { width: Number(width) }) } : {}

interface LanguageFieldsProps {
  value: TypedLanguage
  onChange(value: TypedLanguage): void
}

/** The language in which an agent asks a raw printer, and draws PDFs and images for it. */
export function LanguageFields({ value, onChange }: LanguageFieldsProps) {
  const { language, dpi, width } = value
  return (
    <>
      <SelectField
        label="Language"
        hint="With a language the agent asks the printer whether it has paper and what it has printed. In ZPL and ESC/POS it also draws PDFs and images."
        value={language}
        onChange={({ target }) =>
          onChange({ ...value, language: target.value as TypedLanguage['language'], width: '' })
        }
      >
        <option value="">Only raw data, and no questions</option>
        {Object.entries(LANGUAGES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {isDrawn(language) && (
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
