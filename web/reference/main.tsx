import { CSPProvider } from '@base-ui/react/csp-provider'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { followTheme } from '#web/ui/theme.ts'
import { ToastProvider } from '#web/ui/toast.tsx'
import { Reference } from './reference.tsx'
import '#web/ui/theme.css'

followTheme()

const root = document.getElementById('root')
if (root === null) throw new Error('The document has no place for the application')
createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <ToastProvider>
        <Reference />
      </ToastProvider>
    </CSPProvider>
  </StrictMode>,
)
