import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedIn } from './signed-in.ts'

const models = createRoute({ getParentRoute: () => signedIn, path: '/models' })

const modelList = createRoute({
  getParentRoute: () => models,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/models-page.tsx'), 'ModelsPage'),
})

/** The id of a model is all that follows: it may hold slashes. */
const model = createRoute({
  getParentRoute: () => models,
  path: '$',
  component: lazyRouteComponent(() => import('../pages/model-page.tsx'), 'ModelPage'),
})

/** What can be called. */
export const modelRoutes = models.addChildren([modelList, model])
