//! Asks controllers to look at an object again: the one way in which anything but the object itself leads to a look.

use futures::Stream;
use kube::Resource;
use kube::runtime::reflector::ObjectRef;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::ownership::ObjectKey;
use super::scope::{Guarded, Scope};

/// The senders of one kind, one a scope. What is sent twice before it is looked at is looked at once.
pub struct Wakes(Vec<(Scope, UnboundedSender<ObjectKey>)>);

impl Wakes {
    /// A sender for all scopes, and each scope's receiver.
    pub fn new(scopes: &[Scope]) -> (Wakes, Vec<UnboundedReceiver<ObjectKey>>) {
        let channels = scopes.iter().map(|scope| {
            let (sender, receiver) = unbounded_channel();
            ((scope.clone(), sender), receiver)
        });
        let (senders, receivers) = channels.unzip();
        (Wakes(senders), receivers)
    }

    /// Has an object looked at again.
    pub fn wake(&self, object: ObjectKey) {
        if let Some((_, sender)) = self.0.iter().find(|(scope, _)| scope.holds(&object.namespace)) {
            // Fails only while the process ends.
            let _ = sender.send(object);
        }
    }

    /// Has all of these looked at again.
    pub fn wake_all(&self, objects: impl IntoIterator<Item = ObjectKey>) {
        objects.into_iter().for_each(|object| self.wake(object));
    }
}

/// What a controller is driven by.
pub fn as_triggers<K>(receiver: UnboundedReceiver<ObjectKey>) -> impl Stream<Item = ObjectRef<Guarded<K>>> + Send
where
    K: Resource<DynamicType = ()>,
{
    futures::stream::unfold(receiver, |mut receiver| async move {
        let key = receiver.recv().await?;
        Some((ObjectRef::new(&key.name).within(&key.namespace), receiver))
    })
}
