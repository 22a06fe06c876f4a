import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { catalogQuery } from '#web/api/discovery.ts'
import { Button, buttonClasses } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Step, Steps } from '#web/ui/steps.tsx'
import { textLinkClasses } from '#web/ui/text-link.ts'
import { NewKeyDialog } from '../keys/new-key-dialog.tsx'
import { chatSamples } from '../request-samples.ts'
import type { FirstSteps } from './newcomer.ts'

/** Three steps to the first answer, ticked off as they happen. */
export function GettingStarted({ hasKey, hasCredits, hasAnswer }: FirstSteps) {
  const [making, setMaking] = useState(false)
  return (
    <Panel title={hasAnswer ? 'You have had your first answer' : 'Three steps to the first answer'}>
      <Steps>
        <Step number={1} title="Make a key" isDone={hasKey}>
          {!hasKey && (
            <>
              <p className="mb-3 text-sm text-muted">It lets one program call the API on your account.</p>
              <Button look="primary" onClick={() => setMaking(true)}>
                New key
              </Button>
            </>
          )}
        </Step>
        <Step number={2} title="Get credits" isDone={hasCredits}>
          {!hasCredits && (
            <>
              <p className="mb-3 text-sm text-muted">
                Each answer takes from your balance what it weighs. Buy a package, or ask whoever runs this
                service.
              </p>
              <Link to="/credits" className={buttonClasses({ look: hasKey ? 'primary' : 'plain' })}>
                To the packages
              </Link>
            </>
          )}
        </Step>
        <Step number={3} title="Send a request" isDone={hasAnswer}>
          {hasAnswer ? (
            <p className="text-sm">
              It is counted below. All there is to send stands in the{' '}
              <a href="/docs/" className={textLinkClasses}>
                API reference
              </a>
              .
            </p>
          ) : (
            <FirstRequest />
          )}
        </Step>
      </Steps>
      <NewKeyDialog open={making} onOpenChange={setMaking} />
    </Panel>
  )
}

function FirstRequest() {
  const { data: catalog } = useQuery(catalogQuery)
  const model = catalog?.data.find(({ endpoints }) => endpoints.includes('chat'))?.id ?? 'a-model'
  return (
    <>
      <p className="mb-3 text-sm text-muted">
        Run this with your key in its place, or ask from the{' '}
        <Link to="/playground" className={textLinkClasses}>
          playground
        </Link>
        . The answer is seen here a moment later.
      </p>
      <CodeBlock label="A first request" samples={chatSamples({ origin: location.origin, model })} />
    </>
  )
}
